#include "cli/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "havln/version.h"

namespace havln::cli {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

/// The values in "text|json" or "INT:{1,2}"; none where the type is open: "NAME|FILE" has capitals,
/// which stand for what the user fills in.
std::vector<std::string> choices_of(std::string_view type) {
    char separator = '|';
    if (const std::size_t brace = type.find('{'); brace != type.npos && type.back() == '}') {
        type = type.substr(brace + 1, type.size() - brace - 2);
        separator = ',';
    } else if (type.empty() ||
               std::any_of(type.begin(), type.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
        return {};
    }
    std::vector<std::string> choices;
    for (std::size_t begin = 0; begin <= type.size();) {
        const std::size_t end = std::min(type.find(separator, begin), type.size());
        choices.emplace_back(type.substr(begin, end - begin));
        begin = end + 1;
    }
    return choices;
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
    return app.get_subcommands(std::function<bool(const CLI::App*)>());
}

OptionFacts facts_of(const CLI::Option& option) {
    OptionFacts facts;
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
    facts.description = option.get_description();
    facts.default_value = option.get_default_str();
    facts.required = option.get_required();
    facts.repeatable = option.get_expected_max() > 1;
    if (facts.names.empty()) {
        const std::string type = option.get_type_name();
        facts.value = type.empty() ? option.get_name(true) : type;
    } else if (option.get_items_expected_max() > 0) {
        const std::string type = option.get_type_name();
        facts.choices = choices_of(type);
        facts.value = facts.choices.empty() ? type : joined(facts.choices, "|");
    }
    return facts;
}

/// Text in man(7): a backslash and a dash are markup, and so is a dot or quote that begins a line.
std::string man_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n') {
            out += "\n.br\n";
            continue;
        }
        if (out.empty() && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else {
            if (c == '-') out += '\\';
            out += c;
        }
    }
    return out;
}

std::string man_option(const OptionFacts& option) {
    std::string head;
    for (const std::string& name : option.names) {
        head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", man_text(name));
    }
    if (!option.value.empty()) {
        head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", man_text(option.value));
    }
    std::string text = fmt::format(".TP\n{}\n{}", head, man_text(option.description));
    if (option.required && !option.names.empty()) text += " (required)";
    if (!option.default_value.empty()) {
        text += fmt::format(" (default: {})", man_text(option.default_value));
    }
    return text + '\n';
}

/// The arguments, each after a space, and where asked for what must be given.
std::string man_arguments(const std::vector<OptionFacts>& options, bool required_options) {
    std::string text;
    for (const OptionFacts& option : options) {
        if (option.names.empty()) {
            const std::string name = fmt::format("\\fI{}\\fR{}", man_text(option.value),
                                                 option.repeatable ? " ..." : "");
            text += option.required ? ' ' + name : " [" + name + ']';
        } else if (option.required && required_options) {
            text += fmt::format(" \\fB{}\\fR \\fI{}\\fR", man_text(option.names.front()),
                                man_text(option.value));
        }
    }
    return text;
}

std::string synopsis(const std::string& command, const std::vector<OptionFacts>& options) {
    return fmt::format(".B {}\n[\\fIOPTIONS\\fR]{}\n", man_text(command),
                       man_arguments(options, true));
}

struct ManItems {
    std::string arguments, options;
};

ManItems man_items(const std::vector<OptionFacts>& all) {
    ManItems items;
    for (const OptionFacts& option : all) {
        (option.names.empty() ? items.arguments : items.options) += man_option(option);
    }
    return items;
}

std::string man_subcommands(const CLI::App& app) {
    std::string text;
    for (const CLI::App* sub : subcommands_of(app)) {
        const std::vector<OptionFacts> options = describe_options(*sub);
        const ManItems items = man_items(options);
        text += fmt::format(".SS \\fB{}\\fR{}\n{}\n{}{}", man_text(sub->get_name()),
                            man_arguments(options, false), man_text(sub->get_description()),
                            items.arguments, items.options);
    }
    return text;
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\nDone.\n"
    ".TP\n1\nThe submission breaks the contract.\n"
    ".TP\n2\nWrong usage, or a file that cannot be opened.\n"
    ".TP\n3\nGround truth or host data at fault.\n"
    ".TP\n4\nInternal error.\n";

enum class ValueKind { kNone, kChoice, kFolder, kFile, kOpen };

/// What a shell can offer for the option's value.
ValueKind kind_of(const OptionFacts& option) {
    if (option.value.empty()) return ValueKind::kNone;
    if (!option.choices.empty()) return ValueKind::kChoice;
    const auto names = [&](std::string_view word) {
        return option.value.find(word) != option.value.npos;
    };
    if (names("DIR") || option.value == "INPUT OUTPUT") return ValueKind::kFolder;
    const bool file = names("FILE") || names("PATH") || names(".");  // OUT.zip
    return option.names.empty() || (file && !names("...")) ? ValueKind::kFile : ValueKind::kOpen;
}

/// Text within single quotes of a POSIX shell or zsh.
std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

/// Text in a specification of zsh's _arguments.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_action(const OptionFacts& option) {
    switch (kind_of(option)) {
        case ValueKind::kNone:
            return {};
        case ValueKind::kChoice:
            return ":" + zsh_text(option.value) + ":(" + joined(option.choices, " ") + ')';
        case ValueKind::kFolder:
            return ":" + zsh_text(option.value) + ":_files -/";
        case ValueKind::kFile:
            return ":" + zsh_text(option.value) + ":_files";
        case ValueKind::kOpen:
            return ":" + zsh_text(option.value) + ": ";
    }
    return {};
}

/// Text within single quotes of fish, where a backslash escapes itself and the quote.
std::string fish_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + '\'';
}

std::string fish_value(const OptionFacts& option) {
    switch (kind_of(option)) {
        case ValueKind::kNone:
            return {};
        case ValueKind::kChoice:
            return " -x -a " + fish_quoted(joined(option.choices, " "));
        case ValueKind::kFolder:
            return " -x -a '(__fish_complete_directories)'";
        case ValueKind::kFile:
            return " -r -F";
        case ValueKind::kOpen:
            return " -x";
    }
    return {};
}

constexpr std::string_view kBashFiles = "COMPREPLY=($(compgen -f -- \"$cur\"))";
constexpr std::string_view kBashFolders = "COMPREPLY=($(compgen -d -- \"$cur\"))";

std::string bash_words(const std::vector<std::string>& words) {
    return fmt::format("COMPREPLY=($(compgen -W $'{}' -- \"$cur\"))", joined(words, "\\n"));
}

/// What bash offers where an argument stands.
std::string bash_argument(const std::vector<OptionFacts>& options) {
    for (const OptionFacts& option : options) {
        if (option.names.empty() && kind_of(option) == ValueKind::kFolder) {
            return std::string(kBashFolders);
        }
    }
    return std::string(kBashFiles);
}

/// An option's case in bash: offers for its value; empty where it takes none.
std::string bash_case(const OptionFacts& option) {
    std::string offer;
    switch (kind_of(option)) {
        case ValueKind::kNone:
            return {};
        case ValueKind::kChoice:
            offer = bash_words(option.choices) + "; ";
            break;
        case ValueKind::kFolder:
            offer = fmt::format("{}; ", kBashFolders);
            break;
        case ValueKind::kFile:
            offer = fmt::format("{}; ", kBashFiles);
            break;
        case ValueKind::kOpen:
            break;
    }
    return fmt::format("{}) {}return ;;\n", joined(option.names, "|"), offer);
}

/// Lines of bash: values after options, names of options after a dash, else `argument`.
std::string bash_offers(const std::vector<OptionFacts>& options, std::string_view argument,
                        std::string_view indent) {
    std::string cases;
    std::vector<std::string> names;
    for (const OptionFacts& option : options) {
        if (option.names.empty()) continue;
        names.insert(names.end(), option.names.begin(), option.names.end());
        const std::string one = bash_case(option);
        if (!one.empty()) cases += fmt::format("{}    {}", indent, one);
    }
    return fmt::format(
        "{0}case $prev in\n"
        "{1}"
        "{0}esac\n"
        "{0}if [[ $cur == -* ]]; then\n"
        "{0}    {2}\n"
        "{0}else\n"
        "{0}    {3}\n"
        "{0}fi\n",
        indent, cases, bash_words(names), argument);
}

/// A subcommand's options and those that every subcommand takes.
std::vector<OptionFacts> with(std::vector<OptionFacts> own,
                              const std::vector<OptionFacts>& common) {
    own.insert(own.end(), common.begin(), common.end());
    return own;
}

/// The specifications of zsh's _arguments, each on a line of its own.
std::string zsh_specs(const std::vector<OptionFacts>& options, std::string_view indent) {
    std::string specs;
    for (const OptionFacts& option : options) {
        const std::string tail = zsh_action(option);
        const auto add = [&](const std::string& spec) {
            specs += fmt::format(" \\\n{}  {}", indent,
                                 shell_quoted((option.repeatable ? "*" : "") + spec + tail));
        };
        if (option.names.empty()) add("");
        for (const std::string& name : option.names) {
            add(name + '[' + zsh_text(option.description) + ']');
        }
    }
    return specs;
}

/// One line of fish for each option. @param when  a condition, or empty.
std::string fish_options(const CLI::App& app, const std::vector<OptionFacts>& options,
                         const std::string& when) {
    std::string script;
    for (const OptionFacts& option : options) {
        if (option.names.empty()) continue;
        script += "complete -c " + app.get_name() + when;
        for (const std::string& name : option.names) {
            script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        }
        script += fish_value(option) + " -d " + fish_quoted(option.description) + '\n';
    }
    return script;
}

/// A name for a shell function: the command's, dashes replaced.
std::string function_name(const CLI::App& app) {
    std::string name = '_' + app.get_name();
    for (char& c : name) {
        if (c == '-') c = '_';
    }
    return name;
}

}  // namespace

std::vector<OptionFacts> describe_options(const CLI::App& app) {
    std::vector<OptionFacts> all;
    for (const CLI::Option* option : app.get_options()) {
        const bool repeated = app.get_parent() != nullptr && option == app.get_help_ptr();
        if (!option->get_group().empty() && !repeated) all.push_back(facts_of(*option));
    }
    return all;
}

std::string manual_page(const CLI::App& app) {
    const std::vector<OptionFacts> options = describe_options(app);
    const std::string name = man_text(app.get_name());
    std::string upper;
    for (const char c : app.get_name()) {
        upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    std::string what = app.get_description();
    if (!what.empty() && what.back() == '.') what.pop_back();
    std::string page = fmt::format(
        ".TH {} 1 \"\" \"havln {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", upper,
        version(), name, man_text(what));
    const std::vector<const CLI::App*> subcommands = subcommands_of(app);
    if (subcommands.empty()) page += synopsis(app.get_name(), options);
    for (const CLI::App* sub : subcommands) {
        if (sub != subcommands.front()) page += ".br\n";
        page += synopsis(app.get_name() + ' ' + sub->get_name(), describe_options(*sub));
    }
    page += fmt::format(".SH DESCRIPTION\n{}\n", man_text(app.get_description()));
    const ManItems items = man_items(options);
    if (!items.arguments.empty()) page += ".SH ARGUMENTS\n" + items.arguments;
    if (!subcommands.empty()) page += ".SH COMMANDS\n" + man_subcommands(app);
    page += ".SH OPTIONS\n" + items.options;
    page += kExitStatus;
    return page;
}

std::string bash_completion(const CLI::App& app) {
    const std::string function = function_name(app);
    const std::vector<OptionFacts> common = describe_options(app);
    std::string script = fmt::format(
        "# bash completion for {0}\n"
        "{1}() {{\n"
        "    local IFS=$'\\n' cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
        "    COMPREPLY=()\n",
        app.get_name(), function);
    const std::vector<const CLI::App*> subcommands = subcommands_of(app);
    if (subcommands.empty()) {
        script += bash_offers(common, kBashFiles, "    ");
    } else {
        std::vector<std::string> names;
        for (const CLI::App* sub : subcommands) names.push_back(sub->get_name());
        script += fmt::format(
            "    local command='' word\n"
            "    for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
            "        case $word in {}) command=$word; break ;; esac\n"
            "    done\n"
            "    case $command in\n",
            joined(names, "|"));
        for (const CLI::App* sub : subcommands) {
            const std::vector<OptionFacts> options = with(describe_options(*sub), common);
            script += fmt::format("    {})\n{}        ;;\n", sub->get_name(),
                                  bash_offers(options, bash_argument(options), "        "));
        }
        script += fmt::format("    *)\n{}        ;;\n    esac\n",
                              bash_offers(common, bash_words(names), "        "));
    }
    script += fmt::format("}}\ncomplete -o filenames -F {} {}\n", function, app.get_name());
    return script;
}

std::string zsh_completion(const CLI::App& app) {
    const std::vector<OptionFacts> common = describe_options(app);
    const std::vector<const CLI::App*> subcommands = subcommands_of(app);
    if (subcommands.empty()) {
        return fmt::format("#compdef {}\n_arguments -s -S{}\n", app.get_name(),
                           zsh_specs(common, ""));
    }
    std::string script = fmt::format(
        "#compdef {}\nlocal context state state_descr line\ntypeset -A opt_args\n"
        "_arguments -C -s{} \\\n  '1: :->command' \\\n  '*:: :->rest' && return\n"
        "case $state in\ncommand)\n    local -a commands=(",
        app.get_name(), zsh_specs(common, ""));
    for (const CLI::App* sub : subcommands) {
        script +=
            "\n        " + shell_quoted(sub->get_name() + ':' + zsh_text(sub->get_description()));
    }
    script += ")\n    _describe command commands ;;\nrest)\n    case $line[1] in\n";
    for (const CLI::App* sub : subcommands) {
        script += fmt::format("    {}) _arguments -s{} ;;\n", sub->get_name(),
                              zsh_specs(with(describe_options(*sub), common), "    "));
    }
    return script + "    esac ;;\nesac\n";
}

std::string fish_completion(const CLI::App& app) {
    std::string script = fmt::format("# fish completion for {}\n", app.get_name());
    script += fish_options(app, describe_options(app), "");
    for (const CLI::App* sub : subcommands_of(app)) {
        script += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n",
                              app.get_name(), sub->get_name(), fish_quoted(sub->get_description()));
        script +=
            fish_options(app, describe_options(*sub),
                         fmt::format(" -n '__fish_seen_subcommand_from {}'", sub->get_name()));
    }
    return script;
}

std::optional<std::string> self_description(const CLI::App& app, int argc,
                                            const char* const* argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--manual") return manual_page(app);
    if (argc != 3 || std::string_view(argv[1]) != "--completion") return std::nullopt;
    const std::string_view shell = argv[2];
    if (shell == "bash") return bash_completion(app);
    if (shell == "zsh") return zsh_completion(app);
    if (shell == "fish") return fish_completion(app);
    return std::nullopt;
}

}  // namespace havln::cli
