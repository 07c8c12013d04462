#include "report/table_formats.h"

#include "support/catch.h"

using namespace havln;

namespace {

Table hostile_table() {
    Table table;
    table.head = {"Name", "Score"};
    table.numeric = {false, true};
    table.rows = {{{"a|b_c & 50%"}, {"1.50", "1.5"}},
                  {{"=HYPERLINK(\"x\")"}, {"-2.00", "-2"}},
                  {{"caf\xc3\xa9,\x1b[31m"}, {"10.00", "10"}}};
    return table;
}

}  // namespace

TEST_CASE("tables: text is aligned by characters and shows control bytes escaped", "[report]") {
    CHECK(render_table(hostile_table(), TableFormat::kText) ==
          "Name             Score\n"
          "a|b_c & 50%       1.50\n"
          "=HYPERLINK(\"x\")  -2.00\n"
          "caf\xc3\xa9,\\x1b[31m    10.00\n");
}

TEST_CASE("tables: Markdown escapes what would break the table or mark up text", "[report]") {
    CHECK(render_table(hostile_table(), TableFormat::kMarkdown) ==
          "| Name | Score |\n"
          "|---|---:|\n"
          "| a\\|b\\_c &amp; 50% | 1.50 |\n"
          "| =HYPERLINK(\"x\") | -2.00 |\n"
          "| caf\xc3\xa9,\\\\x1b\\[31m | 10.00 |\n");
}

TEST_CASE("tables: CSV holds exact values and no formula", "[report]") {
    CHECK(render_table(hostile_table(), TableFormat::kCsv) ==
          "Name,Score\r\n"
          "a|b_c & 50%,1.5\r\n"
          "\"'=HYPERLINK(\"\"x\"\")\",-2\r\n"
          "\"caf\xc3\xa9,\\x1b[31m\",10\r\n");
}

TEST_CASE("tables: LaTeX with booktabs rules", "[report]") {
    CHECK(render_table(hostile_table(), TableFormat::kLatex) ==
          "\\begin{tabular}{lr}\n"
          "\\toprule\n"
          "Name & Score \\\\\n"
          "\\midrule\n"
          "a|b\\_c \\& 50\\% & 1.50 \\\\\n"
          "=HYPERLINK(\"x\") & -2.00 \\\\\n"
          "caf\xc3\xa9,\\textbackslash{}x1b[31m & 10.00 \\\\\n"
          "\\bottomrule\n"
          "\\end{tabular}\n");
}
