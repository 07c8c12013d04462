#include "havln/signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "havln/error.h"

namespace havln {

namespace {

constexpr std::size_t kMaxLine = 64 * 1024;
constexpr std::size_t kMaxKeys = 100;

bool is_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

bool is_plain(char c) {
    return c > ' ' && c < '\x7f' && c != '|' && c != '%';
}

std::string escaped(std::string_view value) {
    std::string text;
    for (const char c : value) {
        if (is_plain(c)) {
            text += c;
        } else {
            text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return text;
}

std::optional<int> hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string value;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (is_plain(text[k])) {
            value += text[k];
            continue;
        }
        if (text[k] != '%' || k + 2 >= text.size()) return std::nullopt;
        const auto high = hex_digit(text[k + 1]), low = hex_digit(text[k + 2]);
        if (!high || !low) return std::nullopt;
        value += static_cast<char>(*high * 16 + *low);
        k += 2;
    }
    return value;
}

/// The items "name=value" of a list by split; nothing where `value` is no such list.
std::vector<std::string_view> list_items(std::string_view value) {
    std::vector<std::string_view> items;
    while (true) {
        const std::size_t comma = value.find(',');
        items.push_back(value.substr(0, comma));
        if (comma == std::string_view::npos) return items;
        value.remove_prefix(comma + 1);
    }
}

/// Keys whose values are lists by split.
bool is_by_split(std::string_view key) {
    return key == "episodes" || key == "human_influenced" || key == "truth";
}

}  // namespace

Signature& Signature::set(std::string_view key, std::string_view value) {
    HAVLN_CHECK(is_key(key));
    if (value.empty()) value = "none";
    const auto place = std::find_if(entries_.begin(), entries_.end(),
                                    [key](const auto& entry) { return entry.first == key; });
    if (place != entries_.end()) {
        place->second = value;
    } else {
        entries_.emplace_back(key, value);
    }
    return *this;
}

const std::string* Signature::find(std::string_view key) const {
    for (const auto& [name, value] : entries_) {
        if (name == key) return &value;
    }
    return nullptr;
}

std::string Signature::text() const {
    std::string line;
    for (const auto& [key, value] : entries_) {
        if (!line.empty()) line += '|';
        line += key + ':' + escaped(value);
    }
    return line;
}

std::optional<Signature> Signature::parse(std::string_view line) {
    if (line.empty() || line.size() > kMaxLine) return std::nullopt;
    Signature signature;
    while (true) {
        const std::size_t bar = line.find('|');
        const std::string_view piece = line.substr(0, bar);
        const std::size_t colon = piece.find(':');
        if (colon == std::string_view::npos) return std::nullopt;
        const std::string_view key = piece.substr(0, colon);
        const std::optional<std::string> value = unescaped(piece.substr(colon + 1));
        if (!is_key(key) || !value || value->empty() || signature.find(key) ||
            signature.entries_.size() == kMaxKeys) {
            return std::nullopt;
        }
        signature.entries_.emplace_back(key, *value);
        if (bar == std::string_view::npos) return signature;
        line.remove_prefix(bar + 1);
    }
}

Signature Signature::for_split(std::string_view split) const {
    Signature one = *this;
    for (auto& [key, value] : one.entries_) {
        if (!is_by_split(key)) continue;
        std::string kept = "none";
        for (const std::string_view item : list_items(value)) {
            if (item.substr(0, item.find('=')) == split) kept = item;
        }
        value = kept;
    }
    return one;
}

std::vector<SignatureDifference> signature_differences(const Signature& left,
                                                       const Signature& right) {
    std::vector<SignatureDifference> differences;
    for (const auto& [key, value] : left.entries()) {
        const std::string* other = right.find(key);
        if (key == kSubmissionKey || (other != nullptr && *other == value)) continue;
        differences.push_back(
            {key, value, other ? std::optional<std::string>(*other) : std::nullopt});
    }
    for (const auto& [key, value] : right.entries()) {
        if (key == kSubmissionKey || left.find(key) != nullptr) continue;
        differences.push_back({key, std::nullopt, value});
    }
    return differences;
}

std::string describe(std::span<const SignatureDifference> differences) {
    std::string text;
    for (const SignatureDifference& d : differences) {
        if (!text.empty()) text += "; ";
        text += fmt::format("{}: {} / {}", d.key, escaped(d.left.value_or("absent")),
                            escaped(d.right.value_or("absent")));
    }
    return text;
}

}  // namespace havln
