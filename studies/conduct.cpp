#include "studies/conduct.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>

#include "core/error.hpp"

namespace cosimo::studies {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, std::string problem, std::string remedy) {
  throw Error(Fault{.file = folder.string(), .problem = std::move(problem), .remedy = std::move(remedy)});
}

/// The folder of a study, made where there is none, for one study at a time.
class Place {
 public:
  explicit Place(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) throw IoError(folder.string() + ": the folder cannot be made: " + problem.message());
    if (std::filesystem::exists(folder / "results.h5", problem))
      refuse(folder, "holds the results of a run", "name another folder with --out");
    const std::filesystem::path lock = folder / ".cosimo-study";
    lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) throw IoError(lock.string() + ": cannot be written");
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
    close(lock_);
    refuse(folder, "another study is writing there", "wait for it, or name another folder with --out");
  }
  ~Place() { close(lock_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  int lock_ = -1;
};

/// The trials' folder goes in any case, and with it what a killed study left there.
class Trials {
 public:
  Trials(std::filesystem::path folder, bool keep) : folder_(std::move(folder)), keep_(keep) { clear(); }
  ~Trials() {
    if (!keep_) clear();
  }
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

 private:
  void clear() const {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path folder_;
  bool keep_;
};

}  // namespace

Conclusion conduct(const Study& study, const LabOptions& options) {
  const Place place(options.folder);
  const Trials trials(options.folder / trials_folder, options.keep);
  Conclusion conclusion{.study = &study, .scale = options.scale, .seed = options.seed};
  const auto begin = std::chrono::steady_clock::now();
  Lab lab(options);
  try {
    conclusion.finding = study.work(lab);
  } catch (const LabInterrupted&) {
    throw;
  } catch (const std::exception& failure) {  // of a trial; the studies after it go on
    conclusion.failed = failure.what();
  }
  conclusion.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  write_study(conclusion, options.folder);
  return conclusion;
}

}  // namespace cosimo::studies
