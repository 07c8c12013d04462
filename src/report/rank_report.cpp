#include "report/rank_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/json_writer.h"

namespace havln {

namespace {

struct ShownQuantity {
    const char* key;
    const char* shown;
    int digits;
};
constexpr ShownQuantity kQuantities[] = {
    {"score", "Score", 4},
    {"SR", "SR", 4},
    {"NE", "NE [m]", 3},
    {"CR", "CR", 4},
    {"TCR", "TCR", 3},
    {"navigation", "Navigation", 4},
    {"social", "Social", 4},
    {"success", "SR", 4},
    {"distance_to_goal", "NE [m]", 3},
    {"path_length", "TL [m]", 3},
    {"oracle_success", "OSR", 4},
    {"spl", "SPL", 4},
    {"soft_spl", "SoftSPL", 4},
    {"ndtw", "nDTW", 4},
    {"sdtw", "sDTW", 4},
    {"skip_ratio", "SkipRatio", 4},
    {"llm_match", "LLM-Match", 2},
    {"gflops_per_step", "GFLOPs", 3},
};

const ShownQuantity* find_quantity(const std::string& name) {
    const auto at = std::find_if(std::begin(kQuantities), std::end(kQuantities),
                                 [&name](const ShownQuantity& q) { return name == q.key; });
    return at == std::end(kQuantities) ? nullptr : &*at;
}

/// What a reader must know about an entry; empty where there is nothing.
std::string remark(const RankedResult& result) {
    if (!result.problem.empty()) return "not ranked: " + result.problem;
    if (!result.rank) {
        return result.partial ? "not ranked: partial" : "not ranked: a value is not finite";
    }
    if (result.differences.empty()) return {};
    std::string keys;
    for (const SignatureDifference& d : result.differences) {
        keys += (keys.empty() ? std::string() : std::string(", ")) + d.key;
    }
    return "not comparable: other " + keys;
}

std::vector<Cell> entry_row(const Leaderboard& board, const RankedResult& result, bool remarks) {
    std::vector<Cell> row = {{result.rank ? std::to_string(*result.rank) : "-"}, {result.name}};
    for (const std::string& column : board.columns) {
        const auto value = result.values.find(column);
        if (value == result.values.end()) {
            row.push_back({"-"});
        } else {
            row.push_back({fmt::format("{:.{}f}", value->second, shown_digits(column)),
                           number_text(value->second)});
        }
    }
    row.push_back({result.submitted_text});
    if (remarks) row.push_back({remark(result)});
    return row;
}

}  // namespace

std::string shown_name(const std::string& output_name) {
    const ShownQuantity* q = find_quantity(output_name);
    return q ? q->shown : output_name;
}

int shown_digits(const std::string& output_name) {
    const ShownQuantity* q = find_quantity(output_name);
    return q ? q->digits : 4;
}

std::string leaderboard_table(const Leaderboard& board, TableFormat format) {
    const bool remarks = std::any_of(board.results.begin(), board.results.end(),
                                     [](const RankedResult& r) { return !remark(r).empty(); });
    Table table;
    table.head = {"Rank", "Name"};
    table.numeric = {true, false};
    for (const std::string& column : board.columns) {
        table.head.push_back(format == TableFormat::kCsv ? column : shown_name(column));
        table.numeric.push_back(true);
    }
    table.head.emplace_back("Submitted");
    if (remarks) table.head.emplace_back("Remark");
    for (const RankedResult& result : board.results) {
        table.rows.push_back(entry_row(board, result, remarks));
    }
    return render_table(table, format);
}

std::string leaderboard_json(const Leaderboard& board) {
    JsonWriter json;
    json.begin_object();
    json.member("schema_version", 1).member("split", board.split).member("forced", board.forced);
    json.key("results").begin_array();
    for (const RankedResult& result : board.results) {
        json.begin_object();
        json.member("rank", result.rank).member("name", result.name);
        json.member("result", result.source);
        if (!result.submitted_text.empty()) json.member("submitted", result.submitted_text);
        for (const std::string& column : board.columns) {
            const auto value = result.values.find(column);
            if (value != result.values.end()) json.member(column, value->second);
        }
        if (result.partial) json.member("partial", true);
        if (!result.problem.empty()) json.member("problem", result.problem);
        if (!result.signature.entries().empty()) {
            json.member("signature", result.signature.text());
        }
        if (!result.differences.empty()) {
            json.key("differences").begin_array();
            for (const SignatureDifference& d : result.differences) {
                json.begin_object().member("key", d.key).member("reference", d.left);
                json.member("found", d.right).end_object();
            }
            json.end_array();
        }
        json.end_object();
    }
    json.end_array().end_object();
    return json.take();
}

}  // namespace havln
