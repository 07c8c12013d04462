#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace havln {

/// One line that names everything that moves a number, in the manner of sacreBLEU:
/// "key:value|key:value". Two results compare only when their signatures agree but for the
/// submission.
///
/// Keys are lower-case letters, digits and underscores. Values are any text: '|', '%', control
/// bytes and bytes outside ASCII are written as %XX. A value that differs by split is a list
/// "val_seen=778,val_unseen=1839".
class Signature {
  public:
    /// Appends a key, or replaces its value in place. An empty value is written as "none".
    Signature& set(std::string_view key, std::string_view value);

    /// The key's value; null where the key is absent. Lives as long as the signature is unchanged.
    const std::string* find(std::string_view key) const;

    const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }

    /// The line. parse(text()) gives an equal signature.
    std::string text() const;

    /// Reads a line that text() wrote. Nothing for any other text: a piece without colon, a bad or
    /// repeated key, a bad escape, over 100 keys or 64 KiB.
    static std::optional<Signature> parse(std::string_view line);

    /// The signature as if `split` alone had been scored: lists by split lose their other items.
    Signature for_split(std::string_view split) const;

    bool operator==(const Signature&) const = default;

  private:
    std::vector<std::pair<std::string, std::string>> entries_;
};

/// A key on which two signatures differ; an absent side lacks the key.
struct SignatureDifference {
    std::string key;
    std::optional<std::string> left, right;
    bool operator==(const SignatureDifference&) const = default;
};

/// The key that names the submission, which compared results may differ in.
inline constexpr std::string_view kSubmissionKey = "submission";

/// The keys whose values differ, in the order of `left`, then those that only `right` has. The
/// order of keys and the submission do not count.
std::vector<SignatureDifference> signature_differences(const Signature& left,
                                                       const Signature& right);

/// "clock: frames-per-action=1 / frames-per-action=2; sliding: yes / no", on one line.
std::string describe(std::span<const SignatureDifference> differences);

}  // namespace havln
