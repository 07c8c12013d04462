#include "io/csv.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "havln/error.h"
#include "io/escape.h"

namespace havln {

namespace {

class CsvScanner {
  public:
    CsvScanner(std::string_view text, const std::filesystem::path& origin)
        : text_(text), origin_(origin) {}

    bool at_end() const { return place_ == text_.size(); }
    std::size_t line() const { return line_; }

    std::vector<std::string> record() {
        std::vector<std::string> fields;
        do {
            fields.push_back(next_is('"') ? quoted_field() : bare_field());
        } while (take(','));
        end_of_record();
        return fields;
    }

    [[nodiscard]] Error fault(std::size_t line, const std::string& detail) const {
        return usage_error(origin_, fmt::format("line {}: {}", line, detail));
    }

  private:
    bool next_is(char c) const { return place_ < text_.size() && text_[place_] == c; }
    bool take(char c) {
        if (!next_is(c)) return false;
        ++place_;
        line_ += c == '\n';
        return true;
    }

    std::string bare_field() {
        const std::size_t end = std::min(text_.find_first_of(",\r\n\"", place_), text_.size());
        if (end < text_.size() && text_[end] == '"') {
            throw fault(line_, "a quote inside a field that does not begin with one");
        }
        std::string field(text_.substr(place_, end - place_));
        place_ = end;
        return field;
    }

    std::string quoted_field() {
        const std::size_t first_line = line_;
        take('"');
        std::string field;
        while (!at_end()) {
            if (take('"')) {
                if (!take('"')) return field;
                field += '"';
                continue;
            }
            const char c = text_[place_];
            take(c);
            field += c;
        }
        throw fault(first_line, "a quote that is not closed");
    }

    void end_of_record() {
        const bool carriage_return = take('\r');
        if (take('\n') || (at_end() && !carriage_return)) return;
        throw fault(line_, "expected a comma or the end of the line after a field");
    }

    std::string_view text_;
    const std::filesystem::path& origin_;
    std::size_t place_ = 0, line_ = 1;
};

}  // namespace

std::vector<CsvRecord> parse_csv(std::string_view text, const std::filesystem::path& origin) {
    // Spreadsheets put a byte-order mark in front.
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    CsvScanner scan(text, origin);
    if (scan.at_end()) throw scan.fault(1, "the file is empty, expected a line of column names");
    const std::vector<std::string> head = scan.record();
    std::set<std::string> names;
    for (const std::string& name : head) {
        if (names.insert(name).second) continue;
        throw scan.fault(1, fmt::format("column \"{}\" is named twice", escape_control(name)));
    }
    std::vector<CsvRecord> records;
    while (!scan.at_end()) {
        CsvRecord record;
        record.line = scan.line();
        const std::vector<std::string> fields = scan.record();
        if (fields.size() == 1 && fields[0].empty()) continue;
        if (fields.size() != head.size()) {
            throw scan.fault(record.line, fmt::format("found {} fields, expected {}", fields.size(),
                                                      head.size()));
        }
        for (std::size_t k = 0; k < head.size(); ++k) record.fields[head[k]] = fields[k];
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace havln
