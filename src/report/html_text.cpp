#include "report/html_text.h"

namespace havln {

std::string grouped(std::uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t k = 0; k < digits.size(); ++k) {
        if (k > 0 && (digits.size() - k) % 3 == 0) text += ',';
        text += digits[k];
    }
    return text;
}

std::string fixed(double value, int decimals) {
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    const bool zero = text.find_first_not_of("-0.") == text.npos;
    return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string signed_fixed(double value, int decimals) {
    const std::string text = fixed(value, decimals);
    if (text.find_first_not_of("0.") == text.npos) return text;
    if (text.front() == '-') return "−" + text.substr(1);
    return "+" + text;
}

}  // namespace havln
