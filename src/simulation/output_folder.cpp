#include "simulation/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "results/recorder.hpp"
#include "results/vtk.hpp"

namespace cosimo {

namespace {

constexpr const char *list_name = ".cosimo", *lock_name = ".lock", *results_name = "results.h5",
                     *effective_name = "scenario.effective.yaml";
constexpr std::string_view scenario_key = "scenario: ", file_key = "- ";
const char* const replace_remedy =
    "name another folder with --out, or replace what is there with `run --replace`";

[[noreturn]] void refuse(const std::filesystem::path& folder, std::string problem, std::string remedy) {
  throw Error(Fault{"", 0, 0, "--out", folder.string(), std::move(problem), std::move(remedy)});
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code code;
  return std::filesystem::equivalent(a, b, code) && !code;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Where the scenario file is, seen from the folder: the two may move together.
std::string place_of(const std::filesystem::path& scenario, const std::filesystem::path& folder) {
  std::error_code code;
  if (!std::filesystem::exists(scenario, code)) return scenario.string();
  return std::filesystem::proximate(scenario, folder, code).string();
}

/// ", model.yaml" for messages.
std::string named(const std::string& scenario, const std::filesystem::path& folder) {
  std::error_code code;
  const std::filesystem::path file = (folder / scenario).lexically_normal();
  return scenario.empty() ? "" : ", " + (std::filesystem::exists(file, code) ? file.string() : scenario);
}

bool is_default_folder(const std::filesystem::path& folder, const std::filesystem::path& scenario) {
  return folder.filename() == scenario.stem().concat(".out");
}

FolderContents read_list(const std::filesystem::path& folder) {
  FolderContents contents;
  std::ifstream in(folder / list_name);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(scenario_key)) contents.scenario = line.substr(scenario_key.size());
    // Names alone: whoever has written into the list, nothing outside of the folder is removed.
    if (const std::string file = line.starts_with(file_key) ? line.substr(file_key.size()) : "";
        !file.empty() && file.find('/') == file.npos)
      contents.files.push_back(file);
  }
  return contents;
}

/// Of a results.h5; none for any other file.
std::optional<std::uint64_t> model_hash_of(const std::filesystem::path& file) {
  try {
    return recorded_model_hash(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::path part = file;
  part += ".part";
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  std::error_code code;
  if (out) std::filesystem::rename(part, file, code);
  if (out && !code) return;
  std::filesystem::remove(part, code);
  throw IoError(fmt::format("{}: cannot be written; check free space and permissions", file.string()));
}

FolderContents examine(const std::filesystem::path& folder, const Claim& claim) {
  std::error_code code;
  if (std::filesystem::exists(folder, code) && !std::filesystem::is_directory(folder, code))
    refuse(folder, "is a file, not a folder", "name a folder");
  const std::filesystem::path effective = folder / effective_name;
  const bool own_input = same_file(claim.scenario, effective);
  if (own_input && text_of(effective) != claim.effective)
    refuse(folder, "the run would overwrite its own scenario file " + effective.string(),
           "name another folder, or run a copy of the file");
  FolderContents before = read_list(folder);
  const std::string scenario = place_of(claim.scenario, folder);
  const bool results = std::filesystem::exists(folder / results_name, code);
  const std::optional<std::uint64_t> hash = results ? model_hash_of(folder / results_name) : std::nullopt;
  if (before.scenario.empty() && hash) {  // of a version that kept no list
    before.files = claim.files;
    if (is_default_folder(folder, claim.scenario)) before.scenario = scenario;
  }
  const bool ours = own_input || before.scenario == scenario || hash == claim.model_hash;
  if (hash && !ours && !claim.replace)
    refuse(folder, "holds the results of another scenario" + named(before.scenario, folder), replace_remedy);
  for (const std::string& file : claim.files)
    if (!claim.replace && !contains(before.files, file) && !same_file(claim.scenario, folder / file) &&
        std::filesystem::exists(folder / file, code))
      refuse(folder, "there is a file " + file + " that no run wrote", replace_remedy);
  return before;
}

OutputFolder::OutputFolder(const std::filesystem::path& folder) : folder_(folder) {
  if (folder.empty()) return;
  std::error_code code;
  for (std::filesystem::path f = folder; !f.empty() && !std::filesystem::exists(f, code); f = f.parent_path())
    made_.insert(made_.begin(), f);
  std::filesystem::create_directories(folder, code);
  if (code)
    refuse(folder, "the output folder cannot be made: " + code.message(),
           "name a folder that can be written");
  lock();
}

void OutputFolder::lock() {
  const std::filesystem::path file = folder_ / lock_name;
  const auto take = [&] {
    lock_ = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock_ < 0)
      refuse(folder_, std::string("the output folder cannot be written: ") + std::strerror(errno),
             "name a folder that can be written");
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
    close(lock_);
    refuse(folder_, "another run is writing there", "wait for it, or name another folder with --out");
  };
  // Another run may have ended and removed the file after it was opened here: nobody else would see the lock.
  // Not for ever: there are file systems whose numbers of files cannot be trusted.
  const auto gone = [&] {
    struct stat own {
    }, there{};
    return fstat(lock_, &own) != 0 || stat(file.c_str(), &there) != 0 || own.st_ino != there.st_ino;
  };
  take();
  for (int more = 1000; more > 0 && gone(); --more) {
    close(lock_);
    take();
  }
}

void OutputFolder::write_list(const FolderContents& contents) const {
  std::string text = "# What a run of cosimo wrote here. The next one removes these files and no others.\n";
  text.append(scenario_key).append(contents.scenario).append("\nfiles:\n");
  for (const std::string& file : contents.files) text.append(file_key).append(file).append("\n");
  write_text(folder_ / list_name, text);
}

void OutputFolder::claim(const Claim& claim) {
  if (folder_.empty()) return;
  before_ = examine(folder_, claim);
  now_ = {place_of(claim.scenario, folder_), claim.files};
  // Until the old files are gone they are ours as well.
  FolderContents both = now_;
  for (const std::string& file : before_.files)
    if (!contains(both.files, file)) both.files.push_back(file);
  write_list(both);
}

void OutputFolder::clear(bool goes_on) {
  if (folder_.empty()) return;
  std::error_code code;
  for (const std::string& file : before_.files)
    if (file != results_name && file != effective_name) std::filesystem::remove(folder_ / file, code);
  if (!goes_on) remove_motion(folder_ / "vtk");
  write_list(now_);
}

OutputFolder::~OutputFolder() {
  if (lock_ < 0) return;
  std::error_code code;
  std::filesystem::remove(folder_ / lock_name, code);
  close(lock_);
  // Those that are empty: nothing was written there.
  for (; !made_.empty(); made_.pop_back()) std::filesystem::remove(made_.back(), code);
}

}  // namespace cosimo
