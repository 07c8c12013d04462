#include "report/page_text.h"

#include <fmt/format.h>

#include "report/map_data.h"
#include "support/catch.h"

namespace havln::test {

std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t from = text.find(before);
    REQUIRE(from != std::string::npos);
    const std::size_t start = from + before.size();
    const std::size_t end = text.find(after, start);
    REQUIRE(end != std::string::npos);
    return text.substr(start, end - start);
}

JsonTree data_of(const std::string& html, const std::string& id) {
    return JsonTree::parse(
        between(html, "<script type=\"application/json\" id=\"" + id + "\">", "</script>"), id);
}

std::string markup_of(std::string html) {
    for (const char* tag : {"script", "style"}) {
        const std::string open = fmt::format("<{}", tag), close = fmt::format("</{}>", tag);
        for (std::size_t at = html.find(open); at != std::string::npos; at = html.find(open)) {
            html.erase(at, html.find(close, at) + close.size() - at);
        }
    }
    return html;
}

std::vector<std::int64_t> unpack(const std::string& text) {
    const std::string alphabet(packing_alphabet());
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto digit = static_cast<std::int64_t>(alphabet.find(text[i]));
        if (digit + 1 < static_cast<std::int64_t>(alphabet.size())) {
            values.push_back(digit - 43);
            continue;
        }
        std::int64_t number = 0;
        for (int k = 0; k < 6; ++k) {
            number = number * 64 + static_cast<std::int64_t>(alphabet.find(text[++i]));
        }
        values.push_back(number - (std::int64_t{1} << 31));
    }
    return values;
}

}  // namespace havln::test
