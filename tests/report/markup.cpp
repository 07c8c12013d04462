#include "report/markup.h"

#include <cctype>
#include <set>
#include <vector>

namespace havln::test {

namespace {

class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    std::string fault() {
        while (!rest_.empty()) {
            const std::string problem = rest_.front() == '<' ? tag() : text('<');
            if (!problem.empty()) return problem + " before: " + std::string(rest_.substr(0, 60));
        }
        return open_.empty() ? "" : "not closed: " + open_.back();
    }

  private:
    static bool is_name_char(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == ':';
    }

    std::string name() {
        std::size_t length = 0;
        while (length < rest_.size() && is_name_char(rest_[length])) ++length;
        const std::string found(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return found;
    }

    bool take(std::string_view expected) {
        if (rest_.substr(0, expected.size()) != expected) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    /// Text up to `end`, whose entities are known.
    std::string text(char end) {
        while (!rest_.empty() && rest_.front() != end) {
            if (rest_.front() == '<') return "'<' in a value";
            if (rest_.front() == '&') {
                bool known = false;
                for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
                    known = known || take(entity);
                }
                if (!known) return "unknown entity";
            } else {
                rest_.remove_prefix(1);
            }
        }
        return "";
    }

    std::string attributes() {
        std::set<std::string> seen;
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
            rest_.remove_prefix(1);
            const std::string attribute = name();
            if (attribute.empty() || !seen.insert(attribute).second) return "bad attribute";
            if (!take("=\"")) return "attribute without value";
            if (const std::string problem = text('"'); !problem.empty()) return problem;
            if (!take("\"")) return "value not closed";
        }
        return "";
    }

    std::string tag() {
        rest_.remove_prefix(1);
        if (take("/")) {
            const std::string closed = name();
            if (open_.empty() || open_.back() != closed) return "unexpected end tag " + closed;
            open_.pop_back();
            return take(">") ? "" : "end tag not closed";
        }
        const std::string opened = name();
        if (opened.empty()) return "tag without name";
        if (const std::string problem = attributes(); !problem.empty()) return problem;
        if (take("/>")) return "";
        if (!take(">")) return "tag not closed";
        open_.push_back(opened);
        return "";
    }

    std::string_view rest_;
    std::vector<std::string> open_;
};

}  // namespace

std::string xml_fault(std::string_view text) {
    return Reader(text).fault();
}

std::size_t count_of(std::string_view text, std::string_view needle) {
    std::size_t count = 0;
    for (std::size_t at = text.find(needle); at != text.npos; at = text.find(needle, at + 1)) {
        ++count;
    }
    return count;
}

}  // namespace havln::test
