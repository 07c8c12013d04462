#include "io/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "havln/error.h"

namespace havln {

namespace {

constexpr std::size_t kMaxDepth = 64;

struct Place {
    std::size_t line = 1, column = 1;
};

Place place_of(std::string_view text, std::size_t byte) {
    Place place;
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    place.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t start = before.rfind('\n');
    place.column = 1 + before.size() - (start == std::string_view::npos ? 0 : start + 1);
    return place;
}

/// Builds a JsonTree from nlohmann's SAX events.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
  public:
    bool null() override { return put(JsonTree::Value(nullptr)); }
    bool boolean(bool flag) override { return put(JsonTree::Value(flag)); }
    bool number_integer(number_integer_t n) override { return put(JsonTree::Value(n)); }
    bool number_unsigned(number_unsigned_t n) override {
        if (n <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return put(JsonTree::Value(static_cast<std::int64_t>(n)));
        }
        return put(JsonTree::Value(n));
    }
    bool number_float(number_float_t n, const string_t&) override {
        return put(JsonTree::Value(n));
    }
    bool string(string_t& text) override { return put(JsonTree::Value(std::move(text))); }
    bool binary(binary_t&) override { return false; }

    bool start_object(std::size_t) override { return open(true); }
    bool start_array(std::size_t) override { return open(false); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        Level& level = levels_.back();
        // A set of names would cost more than it saves for the usual handful of members.
        const bool repeated =
            level.names.empty() && level.object.size() < 16
                ? std::any_of(level.object.begin(), level.object.end(),
                              [&](const auto& member) { return member.first == name; })
                : repeats(level, name);
        if (repeated) {
            fault_ = "the key \"" + name + "\" stands twice in one object";
            return false;
        }
        level.object.emplace_back(std::move(name), JsonTree());
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        byte_ = position == 0 ? 0 : position - 1;
        fault_ = error.what();
        // nlohmann prefixes "[json.exception...] parse error at line L, column C: "; we name the
        // place.
        if (const std::size_t at = fault_.find(": "); at != std::string::npos) {
            fault_.erase(0, at + 2);
        }
        return false;
    }

    JsonTree root;
    const std::string& fault() const { return fault_; }
    std::optional<std::size_t> byte() const { return byte_; }

  private:
    struct Level {
        bool is_object = false;
        JsonTree::Object object;
        JsonTree::Array array;
        std::unordered_set<std::string> names;
    };

    static bool repeats(Level& level, const std::string& name) {
        if (level.names.empty()) {
            for (const auto& member : level.object) level.names.insert(member.first);
        }
        return !level.names.insert(name).second;
    }

    bool open(bool is_object) {
        if (levels_.size() >= kMaxDepth) {
            fault_ = fmt::format("nested deeper than {} levels", kMaxDepth);
            return false;
        }
        levels_.emplace_back().is_object = is_object;
        return true;
    }

    bool close() {
        Level level = std::move(levels_.back());
        levels_.pop_back();
        if (level.is_object) return put(JsonTree::Value(std::move(level.object)));
        return put(JsonTree::Value(std::move(level.array)));
    }

    bool put(JsonTree::Value value) {
        if (levels_.empty()) {
            root = JsonTree(std::move(value));
        } else if (levels_.back().is_object) {
            levels_.back().object.back().second = JsonTree(std::move(value));
        } else {
            levels_.back().array.emplace_back(std::move(value));
        }
        return true;
    }

    std::vector<Level> levels_;
    std::string fault_;
    std::optional<std::size_t> byte_;
};

}  // namespace

JsonTree JsonTree::parse(std::string_view text, const std::filesystem::path& origin,
                         int exit_code) {
    const auto refuse = [&](std::size_t byte, const std::string& fault) {
        const Place place = place_of(text, byte);
        return Error(
            static_cast<ExitCode>(exit_code), origin,
            fmt::format("line {}, column {}: not valid JSON: {}", place.line, place.column, fault));
    };
    // nlohmann skips the one and takes the other for the end of the document.
    if (text.starts_with("\xef\xbb\xbf")) {
        throw refuse(0, "begins with a byte-order mark; save it as UTF-8 without one");
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        throw refuse(nul, "a NUL byte");
    }
    TreeBuilder builder;
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) {
        return std::move(builder.root);
    }
    if (builder.byte()) throw refuse(*builder.byte(), builder.fault());
    throw Error(static_cast<ExitCode>(exit_code), origin, "not valid JSON: " + builder.fault());
}

bool JsonTree::is_integer() const {
    return std::holds_alternative<std::int64_t>(value_) ||
           std::holds_alternative<std::uint64_t>(value_);
}

const JsonTree::Object& JsonTree::object() const {
    HAVLN_CHECK(is_object());
    return *std::get_if<Object>(&value_);
}

const JsonTree::Array& JsonTree::array() const {
    HAVLN_CHECK(is_array());
    return *std::get_if<Array>(&value_);
}

const std::string& JsonTree::string() const {
    HAVLN_CHECK(is_string());
    return *std::get_if<std::string>(&value_);
}

bool JsonTree::boolean() const {
    HAVLN_CHECK(is_bool());
    return *std::get_if<bool>(&value_);
}

double JsonTree::number() const {
    if (const auto* n = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*n);
    if (const auto* n = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*n);
    HAVLN_CHECK(std::holds_alternative<double>(value_));
    return *std::get_if<double>(&value_);
}

std::int64_t JsonTree::integer() const {
    HAVLN_CHECK(std::holds_alternative<std::int64_t>(value_));
    return *std::get_if<std::int64_t>(&value_);
}

const JsonTree* JsonTree::find(std::string_view key) const {
    const auto* members = std::get_if<Object>(&value_);
    if (members == nullptr) return nullptr;
    for (const auto& [name, value] : *members) {
        if (name == key) return &value;
    }
    return nullptr;
}

const char* JsonTree::kind() const {
    static constexpr const char* kKinds[] = {"null",   "boolean", "integer", "integer",
                                             "number", "string",  "array",   "object"};
    return kKinds[value_.index()];
}

}  // namespace havln
