#include "cli/common.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <sstream>

#include "cli/describe.h"
#include "havln/version.h"
#include "io/escape.h"

namespace havln::cli {

namespace {

bool use_color(ColorMode mode, int fd) {
    if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
    const char* no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    return ::isatty(fd) == 1;
}

void add_common_options(CLI::App& app, CommonOptions& common) {
    app.set_version_flag("--version", app.get_name() + " " + version(),
                         "Print the version and exit");
    app.add_flag("--quiet", common.quiet, "Say nothing on stderr but errors");
    app.add_option("--color", common.color, "Colour; auto: on a terminal, unless NO_COLOR is set")
        ->transform(choice<ColorMode>({{"auto", ColorMode::kAuto},
                                       {"always", ColorMode::kAlways},
                                       {"never", ColorMode::kNever}}))
        ->type_name("auto|always|never");
}

/// The line that stderr shows for an Error; challenge.md fixes how the organiser's begins.
std::string error_line(const std::string& command, const Error& error) {
    const std::string what = escape_control(error.what());
    switch (error.code()) {
        case ExitCode::kGroundTruth:
            return "SCORING DATA ERROR (organizer): " + what;
        case ExitCode::kInternal:
            return command + ": internal error: " + what +
                   "\nThis is a bug; please report it with the command line.";
        default:
            return command + ": " + what;
    }
}

/// An unset variable of a script must not silently drop an output.
/// @throws CLI::ParseError where an option was given no text.
void refuse_empty_values(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& value : option->results()) {
            if (value.empty()) throw CLI::ValidationError(option->get_name(), "is empty");
        }
    }
    for (const CLI::App* command : app.get_subcommands()) refuse_empty_values(*command);
}

void print_error(const std::string& line) {
    fmt::print(stderr, "{}\n", line);
}

}  // namespace

bool CommonOptions::color_stdout() const {
    return use_color(color, STDOUT_FILENO);
}
bool CommonOptions::color_stderr() const {
    return use_color(color, STDERR_FILENO);
}

int run_command(CLI::App& app, CommonOptions& common, int argc, char** argv,
                const std::function<ExitCode()>& body) {
    add_common_options(app, common);
    std::optional<std::string> described = self_description(app, argc, argv);
    try {
        if (!described) {
            app.parse(argc, argv);
            refuse_empty_values(app);
        }
    } catch (const CLI::Success& asked) {  // --help, --version
        std::ostringstream text;
        app.exit(asked, text, text);
        described = text.str();
    } catch (const CLI::ParseError& error) {
        print_error(fmt::format("{}: {}\nTry {} --help.", app.get_name(),
                                escape_control(error.what()), app.get_name()));
        return static_cast<int>(ExitCode::kUsage);
    }
    try {
        if (described) print_result(*described);
        return static_cast<int>(described ? ExitCode::kDone : body());
    } catch (const Error& error) {
        print_error(error_line(app.get_name(), error));
        return static_cast<int>(error.code());
    } catch (const std::filesystem::filesystem_error& error) {
        print_error(fmt::format("{}: {}: {}", app.get_name(),
                                escape_control(error.path1().string()), error.code().message()));
        return static_cast<int>(ExitCode::kUsage);
    } catch (const std::bad_alloc&) {
        print_error(app.get_name() + ": out of memory");
    } catch (const std::exception& error) {
        print_error(
            fmt::format("{}: internal error: {}\nThis is a bug; please report it with the "
                        "command line.",
                        app.get_name(), escape_control(error.what())));
    }
    return static_cast<int>(ExitCode::kInternal);
}

CLI::Validator finite_number(double least, double most) {
    return CLI::Validator(
        [least, most](std::string& text) {
            double number = 0;
            const bool valid =
                CLI::detail::lexical_cast(text, number) && number >= least && number <= most;
            if (valid) return std::string();
            return fmt::format("{}: expected a number from {:g} to {:g}", text, least, most);
        },
        "");
}

CLI::Validator choice_of(const std::map<std::string, int>& names) {
    CLI::Validator validator;
    validator.operation([names](std::string& text) {
        const auto found = names.find(text);
        if (found != names.end()) {
            text = std::to_string(found->second);
            return std::string();
        }
        std::string known;
        for (const auto& [name, value] : names) known += (known.empty() ? "" : ", ") + name;
        return fmt::format("{} is none of: {}", quote(text), known);
    });
    return validator;
}

void drop_repeats(std::vector<std::string>& texts) {
    std::set<std::string> seen;
    std::erase_if(texts, [&](const std::string& text) { return !seen.insert(text).second; });
}

void print_result(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0) {
        throw usage_error({}, "stdout cannot be written");
    }
}

void say(const CommonOptions& common, std::string_view line) {
    if (!common.quiet) fmt::print(stderr, "{}\n", line);
}

struct Progress::State {
    std::string what;
    std::uint64_t total = 0;
    std::uint64_t done = 0;
    std::uint64_t shown_percent = 101;
    std::mutex mutex;
};

Progress::Progress(const CommonOptions& common, std::string what, std::uint64_t total) {
    if (common.quiet || ::isatty(STDERR_FILENO) != 1) return;
    state_ = std::make_unique<State>();
    state_->what = std::move(what);
    state_->total = std::max<std::uint64_t>(total, 1);
}

Progress::~Progress() {
    if (state_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::advance(std::uint64_t by) {
    if (!state_) return;
    const std::lock_guard lock(state_->mutex);
    state_->done += by;
    const std::uint64_t percent = std::min<std::uint64_t>(100, 100 * state_->done / state_->total);
    if (percent == state_->shown_percent) return;
    state_->shown_percent = percent;
    fmt::print(stderr, "\r{} {}%", state_->what, percent);
}

}  // namespace havln::cli
