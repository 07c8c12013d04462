#include "support/damage.h"

#include <string_view>

namespace havln::test {

std::string damaged(std::string text, Random& random) {
    static constexpr std::string_view kBytes =
        "{}[]\",:\\u0123456789.eE+-tfn \n\x01\x7f\x80\xc3\xa4";
    const std::uint64_t times = 1 + random.below(3);
    for (std::uint64_t i = 0; i < times && !text.empty(); ++i) {
        const auto at = static_cast<std::size_t>(random.below(text.size()));
        const char byte = kBytes[static_cast<std::size_t>(random.below(kBytes.size()))];
        switch (random.below(4)) {
            case 0:
                text[at] = byte;
                break;
            case 1:
                text.insert(at, 1, byte);
                break;
            case 2:
                text.erase(at, 1 + static_cast<std::size_t>(random.below(3)));
                break;
            default: {
                const auto from = static_cast<std::size_t>(random.below(text.size()));
                const std::string piece = text.substr(from, random.below(8));
                text.insert(at, piece);
            }
        }
    }
    return text;
}

}  // namespace havln::test
