#include "manual.hpp"

#include <fmt/format.h>

#include <sstream>

namespace cosimo::cli {
namespace {

constexpr const char* description =
    "cosimo makes large multibody simulations fast: it cuts one mechanical model into subsystems, integrates "
    "them in parallel, each with its own adaptive solver, and couples them at macro\\-time points whose "
    "distance and order an error estimate controls. One scenario file gives the same bits on one core or "
    "many, and one command compares any result with the uncut model.\n";

constexpr const char* ending = R"(.SH FILES
A run writes to the folder
.I NAME.out
beside which it was started:
.IR results.h5 ,
.IR summary.json ,
.IR report.html ,
.I scenario.effective.yaml
and others, which the user guide describes.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set and not empty, nothing is coloured. Pipes and files never get colours.
.TP
.B TERM
.B dumb
means no colours, either.
.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
The run failed or was interrupted; what was computed is there.
.TP
.B 2
The input is wrong: each fault is told with file, line, field, value and remedy.
.SH EXAMPLES
.nf
cosimo init chain
cosimo run chain.yaml
cosimo run chain.yaml \-\-set partition=none \-\-out uncut
cosimo compare chain.out uncut
sed s/masses:.*/masses:\ 500/ chain.yaml | cosimo run \- \-\-out small \-\-json
mpirun \-n 4 cosimo run chain.yaml
.fi
)";

/// Plain text for roff: its own signs escaped, nothing taken for a request.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string tag(const OptionEntry& option) {
  std::string text;
  for (const std::string& flag : option.flags)
    text +=
        fmt::format("{}\\f{}{}\\fR", text.empty() ? "" : ", ", option.positional ? 'I' : 'B', plain(flag));
  if (!option.positional && !option.type.empty()) text += fmt::format(" \\fI{}\\fR", plain(option.type));
  return text;
}

std::string options(const std::vector<OptionEntry>& entries, bool with_help) {
  std::string text;
  for (const OptionEntry& option : entries) {
    if (!with_help && option.flags.back() == "--help") continue;
    text += fmt::format(".TP\n{}\n{}", tag(option), plain(option.help));
    if (option.positional && !option.words.empty())
      text += fmt::format(": {}", plain(fmt::format("{}", fmt::join(option.words, ", "))));
    text += ".\n";
  }
  return text;
}

/// Footers are laid out in lines, and indented lines are commands.
std::string footer(const std::string& text) {
  if (text.empty()) return "";
  return ".PP\n.nf\n" + plain(text) + "\n.fi\n";
}

}  // namespace

std::string manual_page(const CommandTable& table) {
  std::string text = fmt::format(
      ".\\\" Made by `cosimo help --man`.\n.TH COSIMO 1 \"\" \"cosimo {}\" \"User Commands\"\n.SH NAME\n"
      "cosimo \\- {}\n.SH SYNOPSIS\n.B cosimo\n.I COMMAND\n.RI [ OPTIONS ]\n.I ...\n.SH DESCRIPTION\n{}",
      plain(table.version), plain(table.summary), description);
  text += ".SH OPTIONS\n" + options(table.options, true);
  text += ".SH COMMANDS\nEvery command explains itself with\n.BR \\-\\-help .\n";
  for (const CommandEntry& command : table.commands)
    text += fmt::format(".SS {}\n{}.\n{}{}", plain(command.usage()), plain(command.help),
                        options(command.options, false), footer(command.footer));
  return text + ending;
}

}  // namespace cosimo::cli
