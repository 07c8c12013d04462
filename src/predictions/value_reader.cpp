#include "predictions/value_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "havln/error.h"
#include "io/escape.h"
#include "io/file.h"

namespace havln {

namespace {

constexpr int kMaxDepth = 64;
constexpr double kMaxCoordinate_m = 1e9;
constexpr std::size_t kMaxIdBytes = 256;

/// How a value looks in the file, for "found ...".
std::string shown(JsonToken token, std::string_view text) {
    if (token == JsonToken::kString) return "the string " + quote(text);
    if (token == JsonToken::kNumber) return std::string(text.substr(0, 40));
    return std::string(json_token_name(token));
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

}  // namespace

ValueReader::ValueReader(std::string_view text, FileReport& report, std::uint64_t first_line)
    : source_(text),
      report_(report),
      first_line_(first_line),
      json_(source_, kMaxDepth, [this](JsonFault fault) {
          fault.place.line += first_line_ - 1;
          report_.add(fault.code, [&] {
              Diagnostic diagnostic = diagnostic_at(fault.place, {}, fault.message, fault.hint);
              diagnostic.pointer.reset();
              diagnostic.episode_id = episode_id_;
              return diagnostic;
          });
      }) {}

JsonToken ValueReader::peek() {
    if (!peeked_) {
        peeked_ = json_.next();
        if (*peeked_ == JsonToken::kFailed) failed_ = true;
    }
    return *peeked_;
}

JsonToken ValueReader::take() {
    const JsonToken token = peek();
    peeked_.reset();
    return token;
}

TextPlace ValueReader::place() const {
    TextPlace place = json_.place();
    place.line += first_line_ - 1;
    return place;
}

std::string ValueReader::pointer() const {
    std::string out;
    for (std::size_t i = 0; i < depth_; ++i) {
        out += steps_[i].is_index ? fmt::format("/{}", steps_[i].index)
                                  : pointer_step(std::string_view(steps_[i].key).substr(0, 80));
    }
    return out;
}

ValueReader::Step& ValueReader::push() {
    if (steps_.size() == depth_) steps_.emplace_back();
    return steps_[depth_++];
}

bool ValueReader::object(std::string_view expected,
                         const std::function<void(const std::string&)>& on_member) {
    if (peek() != JsonToken::kBeginObject) {
        wrong_kind(expected);
        return false;
    }
    take();
    while (peek() == JsonToken::kKey) {
        Step& step = push();
        step.is_index = false;
        step.key = json_.text();
        peeked_.reset();
        const std::string key = step.key;
        on_member(key);
        --depth_;
        if (failed_) return false;
    }
    take();
    return !failed_;
}

bool ValueReader::array(std::string_view expected,
                        const std::function<void(std::uint64_t)>& on_item) {
    if (peek() != JsonToken::kBeginArray) {
        wrong_kind(expected);
        return false;
    }
    take();
    for (std::uint64_t i = 0; peek() != JsonToken::kEndArray; ++i) {
        if (failed_) return false;
        Step& step = push();
        step.is_index = true;
        step.index = i;
        on_item(i);
        --depth_;
        if (failed_) return false;
    }
    take();
    return true;
}

std::optional<double> ValueReader::number(double least, double most) {
    if (peek() != JsonToken::kNumber) {
        wrong_kind("a number");
        return std::nullopt;
    }
    const std::optional<double> value = whole_number<double>(json_.text());
    if (!value || !std::isfinite(*value) || *value < least || *value > most) {
        fault(DiagnosticCode::kFieldType, [&] {
            return fmt::format("expected a number from {} to {}, found {}", least, most,
                               json_.text().substr(0, 40));
        });
        take();
        return std::nullopt;
    }
    take();
    return value;
}

std::optional<std::int64_t> ValueReader::integer(std::int64_t least, std::int64_t most) {
    const JsonToken token = peek();
    const std::optional<std::int64_t> value =
        token == JsonToken::kNumber ? whole_number<std::int64_t>(json_.text()) : std::nullopt;
    if (!value || *value < least || *value > most) {
        wrong_kind(fmt::format("an integer from {} to {}", least, most));
        return std::nullopt;
    }
    take();
    return value;
}

std::optional<bool> ValueReader::boolean() {
    const JsonToken token = peek();
    if (token != JsonToken::kTrue && token != JsonToken::kFalse) {
        wrong_kind("true or false");
        return std::nullopt;
    }
    take();
    return token == JsonToken::kTrue;
}

std::optional<std::string> ValueReader::id() {
    const JsonToken token = peek();
    const bool usable =
        token == JsonToken::kString
            ? !json_.text().empty() && json_.text_bytes() <= kMaxIdBytes
            : token == JsonToken::kNumber && whole_number<std::uint64_t>(json_.text()).has_value();
    if (!usable) {
        if (token != JsonToken::kFailed) {
            fault(DiagnosticCode::kEpisodeIdType, [&] {
                return fmt::format("expected an id, a string or an integer, found {}",
                                   shown(token, json_.text()));
            });
        }
        skip();
        return std::nullopt;
    }
    std::string text(json_.text());
    take();
    return text;
}

std::optional<Vec3d> ValueReader::point() {
    double xyz[3] = {};
    std::uint64_t count = 0;
    bool good = true;
    const JsonToken token = peek();
    const TextPlace start = place();
    const bool is_array = array("a position [x, y, z]", [&](std::uint64_t i) {
        ++count;
        const std::optional<double> value = number(-kMaxCoordinate_m, kMaxCoordinate_m);
        good = good && value.has_value();
        if (value && i < 3) xyz[i] = *value;
    });
    if (!is_array || token == JsonToken::kFailed) return std::nullopt;
    if (count != 3) {
        fault_at(start, DiagnosticCode::kFieldType, [&] {
            return fmt::format("expected a position [x, y, z], found {} item{}", count,
                               count == 1 ? "" : "s");
        });
        return std::nullopt;
    }
    if (!good) return std::nullopt;
    return Vec3d{xyz[0], xyz[1], xyz[2]};
}

void ValueReader::skip() {
    const JsonToken token = take();
    json_.skip_value(token);
}

void ValueReader::fault(DiagnosticCode code, const std::function<std::string()>& message,
                        std::string_view hint) {
    fault_at(place(), code, message, hint);
}

void ValueReader::fault_at(TextPlace at, DiagnosticCode code,
                           const std::function<std::string()>& message, std::string_view hint,
                           std::optional<std::uint64_t> step) {
    report_.add(code, [&] {
        Diagnostic diagnostic = diagnostic_at(at, pointer(), message(), std::string(hint));
        diagnostic.episode_id = episode_id_;
        diagnostic.step = step;
        return diagnostic;
    });
}

void ValueReader::fault_of_list(const ActionListFault& fault, const ActionListFacts& facts,
                                std::uint32_t max_actions) {
    report_.add(fault.code, [&] {
        Diagnostic diagnostic = diagnostic_at(
            fault.place, fault.step ? fmt::format("{}/{}", pointer(), *fault.step) : pointer(),
            action_list_message(fault.code, facts, max_actions),
            action_list_hint(fault.code, max_actions));
        diagnostic.episode_id = episode_id_;
        diagnostic.step = fault.step;
        return diagnostic;
    });
}

void ValueReader::missing(TextPlace object, std::string_view key) {
    if (failed_) return;
    fault_at(object, DiagnosticCode::kFieldMissing,
             [&] { return fmt::format("the key \"{}\" is missing", key); });
}

void ValueReader::wrong_kind(std::string_view expected) {
    const JsonToken token = peek();
    if (token != JsonToken::kFailed) {
        fault(DiagnosticCode::kFieldType, [&] {
            return fmt::format("expected {}, found {}", expected, shown(token, json_.text()));
        });
    }
    skip();
}

void ValueReader::finish() {
    if (!failed_) take();  // kEnd; anything else is reported by the stream
    json_.drain();
}

std::string read_prediction_text(const std::filesystem::path& file, std::uint64_t max_bytes) {
    std::string bytes = read_whole_file(file, max_bytes);
    if (file.extension() != ".gz") return bytes;
    try {
        return gunzip(bytes, file, max_bytes);
    } catch (const Error& error) {
        throw usage_error(error.path(), error.detail());
    }
}

bool is_json_lines(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with(".jsonl") || name.ends_with(".jsonl.gz");
}

void for_each_line(std::string_view text,
                   const std::function<void(std::string_view, std::uint64_t)>& on_line) {
    std::uint64_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) on_line(line, number);
    }
}

}  // namespace havln
