#include "exporting/target.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "exporting/write_file.hpp"

namespace cosimo::exporting {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& archive, std::string problem, std::string remedy) {
  throw Error(Fault{.field = "--out",
                    .value = archive.string(),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

/// An archive begins with these letters. A file without bytes is nobody's loss.
bool may_be_replaced(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, 2> first{};
  in.read(first.data(), first.size());
  return in.gcount() == 0 || (first[0] == 'P' && first[1] == 'K');
}

/// A signal that ends the program waits until no half of a file is left.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&ends, number);
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void require_target(const fs::path& archive) {
  std::error_code ignored;
  const fs::path folder = archive.has_parent_path() ? archive.parent_path() : fs::path(".");
  if (fs::is_directory(archive, ignored) || !archive.has_filename())
    refuse(archive, "is a folder", "name the archive, such as " + (archive / "model.fmu").string());
  if (!fs::is_directory(folder, ignored))
    refuse(archive, "there is no folder " + folder.string(), "make it, or name another");
  if (!fs::exists(archive, ignored)) return;
  if (!fs::is_regular_file(archive, ignored) || !may_be_replaced(archive))
    refuse(archive, "is there and no FMU: it is not replaced", "give another name, or remove it");
}

void require_no_source(const fs::path& archive, const std::vector<fs::path>& sources) {
  std::error_code ignored;
  for (const fs::path& each : sources)
    if (fs::equivalent(archive, each, ignored))
      refuse(archive, "is a file that the FMU is made of", "give another name");
}

void put_in_place(const fs::path& made, const fs::path& archive) {
  const SignalsWait waiting;
  std::error_code ignored;
  // Through a link its target is replaced.
  const fs::path target = fs::is_symlink(archive, ignored) ? fs::weakly_canonical(archive, ignored) : archive;
  const fs::path part = target.string() + fmt::format(".{}.part", ::getpid());
  try {
    copy_to(made, part);
    fs::rename(part, target);
  } catch (...) {
    fs::remove(part, ignored);
    throw;
  }
}

}  // namespace cosimo::exporting
