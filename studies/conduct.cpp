#include "studies/conduct.hpp"

#include <chrono>

#include "core/error.hpp"

namespace cosimo::studies {
namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw IoError(folder.string() + ": the folder cannot be made: " + problem.message());
}

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
  make_folder(options.folder);
  const Trials trials(options.folder / "trials", options.keep);
  Conclusion conclusion{.study = &study, .scale = options.scale, .seed = options.seed};
  const auto begin = std::chrono::steady_clock::now();
  Lab lab(options);
  try {
    conclusion.finding = study.work(lab);
  } catch (const LabFailure& failure) {
    conclusion.failed = failure.what();
  }
  conclusion.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  write_study(conclusion, options.folder);
  return conclusion;
}

}  // namespace cosimo::studies
