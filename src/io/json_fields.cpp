#include "io/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/escape.h"
#include "io/json_writer.h"

namespace havln {

JsonFields::JsonFields(const JsonTree& tree, std::filesystem::path origin, std::string pointer)
    : tree_(&tree), origin_(std::move(origin)), pointer_(std::move(pointer)) {
    if (tree.is_object()) return;
    throw usage_error(origin_, fmt::format("{}: found {}, expected an object",
                                           pointer_.empty() ? "document" : escape_control(pointer_),
                                           tree.kind()));
}

std::string JsonFields::pointer_to(std::string_view key) const {
    return pointer_ + pointer_step(key);
}

Error JsonFields::fault(std::string_view key, std::string_view detail) const {
    return usage_error(origin_, fmt::format("{}: {}", escape_control(pointer_to(key)), detail));
}

Error JsonFields::wrong_kind(std::string_view key, const JsonTree& member,
                             const char* expected) const {
    return fault(key, fmt::format("found {}, expected {}", member.kind(), expected));
}

const JsonTree& JsonFields::at(std::string_view key) const {
    const JsonTree* member = tree_->find(key);
    if (member == nullptr) throw fault(key, "is missing");
    return *member;
}

std::string JsonFields::text(std::string_view key) const {
    if (!at(key).is_string()) throw wrong_kind(key, at(key), "a string");
    return at(key).string();
}

bool JsonFields::boolean(std::string_view key) const {
    if (!at(key).is_bool()) throw wrong_kind(key, at(key), "true or false");
    return at(key).boolean();
}

double JsonFields::number(std::string_view key, double min, double max) const {
    return number(key, at(key), min, max);
}

double JsonFields::number(std::string_view key, const JsonTree& member, double min,
                          double max) const {
    if (!member.is_number()) throw wrong_kind(key, member, "a number");
    const double value = member.number();
    if (!(value >= min && value <= max)) {
        throw fault(key, fmt::format("found {}, expected a number from {} to {}", value, min, max));
    }
    return value;
}

std::int64_t JsonFields::integer(std::string_view key, std::int64_t min, std::int64_t max) const {
    if (!at(key).is_integer()) throw wrong_kind(key, at(key), "an integer");
    // By the double first: integer() demands that the value fits.
    const double rough = at(key).number();
    const bool fits = std::abs(rough) < 9e18;
    if (!fits || at(key).integer() < min || at(key).integer() > max) {
        throw fault(key,
                    fmt::format("found {}, expected an integer from {} to {}", rough, min, max));
    }
    return at(key).integer();
}

const JsonTree::Array& JsonFields::array(std::string_view key) const {
    if (!at(key).is_array()) throw wrong_kind(key, at(key), "an array");
    return at(key).array();
}

std::vector<std::string> JsonFields::texts(std::string_view key) const {
    std::vector<std::string> list;
    for (const JsonTree& item : array(key)) {
        if (!item.is_string()) {
            throw fault(key, fmt::format("holds {}, expected strings alone", item.kind()));
        }
        list.push_back(item.string());
    }
    return list;
}

JsonFields JsonFields::object(std::string_view key) const {
    return JsonFields(at(key), origin_, pointer_to(key));
}

void JsonFields::allow_only(std::initializer_list<std::string_view> known) const {
    for (const auto& [key, value] : tree_->object()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            throw fault(key, fmt::format("is no key of this object; its keys are {}",
                                         fmt::join(known, ", ")));
        }
    }
}

}  // namespace havln
