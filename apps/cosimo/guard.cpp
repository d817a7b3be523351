#include "guard.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "commands.hpp"
#include "console.hpp"
#include "cosimo/cluster.hpp"
#include "errors.hpp"

namespace cosimo::cli {
namespace {

/// Errors that all ranks have found together.
int together(Cluster& cluster, bool json, const std::function<int()>& command) {
  try {
    return command();
  } catch (const Error& error) {
    if (cluster.ranks() > 1 && dynamic_cast<const AgreedError*>(&error) == nullptr) throw;
    return tell(error, wrong_input, json);
  } catch (const IoError& error) {
    if (cluster.ranks() > 1 && dynamic_cast<const AgreedIoError*>(&error) == nullptr) throw;
    return tell(error.what(), run_failed, json);
  }
}

}  // namespace

int guarded(Cluster& cluster, bool json, const std::function<int()>& command) {
  std::string text;
  int code = run_failed;
  try {
    return together(cluster, json, command);
  } catch (const Error& error) {
    text = error.what();
    code = wrong_input;
  } catch (const IoError& error) {
    text = error.what();
  } catch (const std::filesystem::filesystem_error& error) {
    text = error.what();
  } catch (const std::system_error& error) {
    const bool threads = error.code() == std::errc::resource_unavailable_try_again;
    text = fmt::format("the system refused: {}{}", error.what(), threads ? "; try fewer --threads" : "");
  } catch (const std::bad_alloc&) {
    text = "there is not enough memory for this model; try `record: coupling`, fewer masses or more hosts";
  } catch (const std::exception& error) {
    text = fmt::format(
        "this should not have happened, sorry: {}\nPlease report it with the scenario file, the command and "
        "the output of `cosimo --version`.",
        error.what());
  }
  mute(false);
  const bool alone = cluster.ranks() == 1;
  tell(alone ? text : fmt::format("rank {}: {}", cluster.rank(), text), code, json && alone);
  std::fflush(stderr);
  cluster.abort(code);
  return code;
}

}  // namespace cosimo::cli
