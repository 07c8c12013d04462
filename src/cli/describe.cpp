#include "cli/describe.h"

#include <fmt/format.h>

#include "havln/version.h"

namespace havln::cli {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

/// The values in "text|json" or "INT:{1,2}"; none where the type is open.
std::vector<std::string> choices_of(std::string_view type) {
    char separator = '|';
    if (const std::size_t brace = type.find('{'); brace != type.npos && type.back() == '}') {
        type = type.substr(brace + 1, type.size() - brace - 2);
        separator = ',';
    } else if (type.find('|') == type.npos) {
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

OptionFacts facts_of(const CLI::Option& option) {
    OptionFacts facts;
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
    facts.description = option.get_description();
    facts.default_value = option.get_default_str();
    facts.required = option.get_required();
    facts.repeatable = option.get_expected_max() > 1;
    if (facts.names.empty()) {
        facts.value = option.get_name(true);
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

std::string synopsis(const CLI::App& app, const std::vector<OptionFacts>& options) {
    std::string text = fmt::format(".B {}\n[\\fIOPTIONS\\fR]", man_text(app.get_name()));
    for (const OptionFacts& option : options) {
        if (option.names.empty()) {
            const std::string name = fmt::format("\\fI{}\\fR{}", man_text(option.value),
                                                 option.repeatable ? " ..." : "");
            text += option.required ? ' ' + name : " [" + name + ']';
        } else if (option.required) {
            text += fmt::format(" \\fB{}\\fR \\fI{}\\fR", man_text(option.names.front()),
                                man_text(option.value));
        }
    }
    return text + '\n';
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
    if (option.value == "DIR") return ValueKind::kFolder;
    if (option.names.empty() || option.value.starts_with("FILE")) return ValueKind::kFile;
    return ValueKind::kOpen;
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
        if (!option->get_group().empty()) all.push_back(facts_of(*option));
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
    page += synopsis(app, options);
    page += fmt::format(".SH DESCRIPTION\n{}\n", man_text(app.get_description()));
    std::string arguments, flags;
    for (const OptionFacts& option : options) {
        (option.names.empty() ? arguments : flags) += man_option(option);
    }
    if (!arguments.empty()) page += ".SH ARGUMENTS\n" + arguments;
    page += ".SH OPTIONS\n" + flags;
    page += kExitStatus;
    return page;
}

std::string bash_completion(const CLI::App& app) {
    const std::string function = function_name(app);
    std::string cases, names;
    for (const OptionFacts& option : describe_options(app)) {
        if (option.names.empty()) continue;
        names += (names.empty() ? "" : "\\n") + joined(option.names, "\\n");
        std::string offer;
        switch (kind_of(option)) {
            case ValueKind::kNone:
                continue;
            case ValueKind::kChoice:
                offer = fmt::format("COMPREPLY=($(compgen -W $'{}' -- \"$cur\")); ",
                                    joined(option.choices, "\\n"));
                break;
            case ValueKind::kFolder:
                offer = "COMPREPLY=($(compgen -d -- \"$cur\")); ";
                break;
            case ValueKind::kFile:
                offer = "COMPREPLY=($(compgen -f -- \"$cur\")); ";
                break;
            case ValueKind::kOpen:
                break;
        }
        cases += fmt::format("        {}) {}return ;;\n", joined(option.names, "|"), offer);
    }
    return fmt::format(
        "# bash completion for {0}\n"
        "{1}() {{\n"
        "    local IFS=$'\\n' cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
        "    COMPREPLY=()\n"
        "    case $prev in\n"
        "{2}"
        "    esac\n"
        "    if [[ $cur == -* ]]; then\n"
        "        COMPREPLY=($(compgen -W $'{3}' -- \"$cur\"))\n"
        "    else\n"
        "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
        "    fi\n"
        "}}\n"
        "complete -o filenames -F {1} {0}\n",
        app.get_name(), function, cases, names);
}

std::string zsh_completion(const CLI::App& app) {
    std::string specs;
    for (const OptionFacts& option : describe_options(app)) {
        const std::string tail = zsh_action(option);
        if (option.names.empty()) {
            specs += " \\\n  " + shell_quoted((option.repeatable ? "*" : "") + tail);
        }
        for (const std::string& name : option.names) {
            specs += " \\\n  " + shell_quoted((option.repeatable ? "*" : "") + name + '[' +
                                              zsh_text(option.description) + ']' + tail);
        }
    }
    return fmt::format("#compdef {}\n_arguments -s -S{}\n", app.get_name(), specs);
}

std::string fish_completion(const CLI::App& app) {
    std::string script = fmt::format("# fish completion for {}\n", app.get_name());
    for (const OptionFacts& option : describe_options(app)) {
        if (option.names.empty()) continue;
        script += "complete -c " + app.get_name();
        for (const std::string& name : option.names) {
            script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        }
        script += fish_value(option) + " -d " + fish_quoted(option.description) + '\n';
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
