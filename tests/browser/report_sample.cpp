#include <cstdio>
#include <filesystem>

#include "io/file.h"
#include "report/sample_report.h"

/// Writes the pages that report_test.mjs opens: one of the challenge's size with hostile texts, one
/// small one, and two comparisons like them.
int main(int argc, char** argv) {
    using namespace havln;
    if (argc != 2) {
        std::fputs("usage: report_sample FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    make_folder(folder);
    const auto big = test::make_sample_report({{"val_seen", 778}, {"val_unseen", 1839}}, 250,
                                              "<i>agent</i> & co.zip", true);
    write_file_atomically(folder / "big.html", report_html(big->input));
    const auto small = test::make_sample_report({{"demo", 30}}, 120, "small.zip");
    write_file_atomically(folder / "small.html", report_html(small->input));
    const auto pairs = test::make_sample_comparison({{"val_seen", 778}, {"val_unseen", 1839}}, 250,
                                                    100, true);
    write_file_atomically(folder / "big_compare.html", compare_page(pairs->input));
    const auto few = test::make_sample_comparison({{"demo", 30}}, 120, 30);
    write_file_atomically(folder / "small_compare.html", compare_page(few->input));
    return 0;
}
