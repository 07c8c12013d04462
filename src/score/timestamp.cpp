#include <array>
#include <chrono>

#include "havln/ranking.h"

namespace havln {

namespace {

/// Reads a text from left to right; one step that fails spoils the rest.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    bool ok() const { return ok_; }
    bool at_end() const { return text_.empty(); }

    /// Exactly `count` digits, in [least, most].
    int number(std::size_t count, int least, int most) {
        int value = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const char c = k < text_.size() ? text_[k] : '\0';
            if (c < '0' || c > '9') return fail();
            value = 10 * value + (c - '0');
        }
        text_.remove_prefix(count);
        return value >= least && value <= most ? value : fail();
    }

    /// One character of `any`.
    char one_of(std::string_view any) {
        if (text_.empty() || any.find(text_.front()) == std::string_view::npos) {
            fail();
            return '\0';
        }
        const char c = text_.front();
        text_.remove_prefix(1);
        return c;
    }

    /// Digits, at least one.
    std::string digits() {
        std::size_t count = 0;
        while (count < text_.size() && text_[count] >= '0' && text_[count] <= '9') ++count;
        if (count == 0) fail();
        const std::string run(text_.substr(0, count));
        text_.remove_prefix(count);
        return run;
    }

    bool next_is(char c) const { return !text_.empty() && text_.front() == c; }

  private:
    int fail() {
        ok_ = false;
        return 0;
    }

    std::string_view text_;
    bool ok_ = true;
};

/// "Z", "+02:00" or "-00:30", as seconds east of UTC.
int offset_seconds(Scanner& scan) {
    const char sign = scan.one_of("Zz+-");
    if (sign == 'Z' || sign == 'z' || !scan.ok()) return 0;
    const int hours = scan.number(2, 0, 23);
    scan.one_of(":");
    const int minutes = scan.number(2, 0, 59);
    return (sign == '-' ? -1 : 1) * (3600 * hours + 60 * minutes);
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text) {
    if (text.size() > 64) return std::nullopt;
    Scanner scan(text);
    const int year = scan.number(4, 0, 9999);
    scan.one_of("-");
    const int month = scan.number(2, 1, 12);
    scan.one_of("-");
    const int day = scan.number(2, 1, 31);
    scan.one_of("Tt ");
    const int hour = scan.number(2, 0, 23);
    scan.one_of(":");
    const int minute = scan.number(2, 0, 59);
    scan.one_of(":");
    const int second = scan.number(2, 0, 60);  // 60: a leap second
    Timestamp time;
    if (scan.ok() && scan.next_is('.')) {
        scan.one_of(".");
        time.fraction = scan.digits();
        time.fraction.erase(time.fraction.find_last_not_of('0') + 1);
    }
    const int offset = offset_seconds(scan);
    const std::chrono::year_month_day date(std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day)));
    if (!scan.ok() || !scan.at_end() || !date.ok()) return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    time.unix_seconds = 86'400 * days + 3600 * hour + 60 * minute + second - offset;
    return time;
}

}  // namespace havln
