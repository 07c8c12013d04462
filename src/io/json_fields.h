#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "havln/error.h"
#include "io/json_tree.h"

namespace havln {

/// Checked access to the members of one JSON object of a file that the user named. Every fault is
/// an Error (kUsage) that gives the file, the JSON pointer, what was found and what is expected.
/// The tree must outlive the view.
class JsonFields {
  public:
    /// @param pointer  the object's place (RFC 6901), "" for the document.
    /// @throws Error where `tree` is no object.
    JsonFields(const JsonTree& tree, std::filesystem::path origin, std::string pointer = "");

    bool has(std::string_view key) const { return tree_->find(key) != nullptr; }
    /// @throws Error where it is missing, as all the following.
    const JsonTree& at(std::string_view key) const;
    std::string text(std::string_view key) const;
    bool boolean(std::string_view key) const;
    /// A finite number in [min, max].
    double number(std::string_view key, double min, double max) const;
    /// The same of a member that the caller has at hand, for objects with many.
    double number(std::string_view key, const JsonTree& member, double min, double max) const;
    std::int64_t integer(std::string_view key, std::int64_t min, std::int64_t max) const;
    std::vector<std::string> texts(std::string_view key) const;
    JsonFields object(std::string_view key) const;
    const JsonTree::Array& array(std::string_view key) const;

    /// Refuses members that are not among `known`.
    void allow_only(std::initializer_list<std::string_view> known) const;

    const JsonTree& tree() const { return *tree_; }
    const std::filesystem::path& origin() const { return origin_; }
    std::string pointer_to(std::string_view key) const;
    /// The fault at a member: "POINTER: DETAIL".
    [[nodiscard]] Error fault(std::string_view key, std::string_view detail) const;

  private:
    [[nodiscard]] Error wrong_kind(std::string_view key, const JsonTree& member,
                                   const char* expected) const;

    const JsonTree* tree_;
    std::filesystem::path origin_;
    std::string pointer_;
};

}  // namespace havln
