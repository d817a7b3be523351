// first_rows PART.h5 WHOLE.h5: what a run had written when it ended early is the beginning of what the
// undisturbed run wrote, to the last bit. Exit code 0 and the number of output times in PART, otherwise 1 and
// what differs.
//
// Every dataset that grows is compared as far as PART has it: a killed writer may leave them with different
// numbers of rows, and the output times that count are those that all of them have. A run that was told to
// end leaves its last state as a row at a time that is no output time; that row is left out. What is written
// at the end only (/cuts/error, /cuts/layers) does not count.
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

struct Dataset {
  bool grows = false;
  std::size_t rows = 1, row_bytes = 0;
  std::vector<std::byte> bytes{};
};
using File = std::map<std::string, Dataset>;

herr_t add(hid_t file, const char* name, const H5O_info_t* info, void* data) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set);
  std::vector<hsize_t> now(static_cast<std::size_t>(std::max(1, H5Sget_simple_extent_ndims(space))), 1);
  std::vector<hsize_t> most = now;
  H5Sget_simple_extent_dims(space, now.data(), most.data());
  Dataset& d = (*static_cast<File*>(data))[name];
  d.grows = most[0] == H5S_UNLIMITED;
  d.rows = now[0];
  d.row_bytes = H5Tget_size(type);
  for (std::size_t i = 1; i < now.size(); ++i) d.row_bytes *= now[i];
  d.bytes.resize(d.rows * d.row_bytes);
  const herr_t status = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, d.bytes.data());
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  return status;
}

/// Empty when the file cannot be read to its end.
File read(const char* name) {
  File file;
  const hid_t id = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) return {};
  if (H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_INC, add, &file, H5O_INFO_BASIC) < 0) file.clear();
  H5Fclose(id);
  return file;
}

/// Of the rows of `part` that `whole` has as well.
bool same_rows(const Dataset& part, const Dataset& whole, std::size_t rows) {
  return std::memcmp(part.bytes.data(), whole.bytes.data(), rows * part.row_bytes) == 0;
}

/// One row per output time, unlike /steps and /coupling, which have one per macro step. So do their
/// checksums.
bool per_output(std::string name) {
  if (name.rfind("crc32c/", 0) == 0) name.erase(0, 7);
  return name.rfind("steps/", 0) != 0 && name.rfind("coupling/", 0) != 0 && name.rfind("local/", 0) != 0;
}

int differs(const std::string& name, const char* how) {
  std::printf("%s %s\n", name.c_str(), how);
  return 1;
}

int compare(const File& part, const File& whole) {
  const auto time = part.find("time");
  if (time == part.end() || whole.find("time") == whole.end()) return differs("/time", "is missing");
  // Output times, without the row that an orderly end leaves between two of them.
  const Dataset& all_times = whole.at("time");
  std::size_t times = std::min(time->second.rows, all_times.rows);
  bool between = time->second.rows > all_times.rows;
  if (times > 0 && !same_rows(time->second, all_times, times)) {
    between = true;
    --times;
  }
  if (time->second.rows > times + 1) return differs("/time", "has more rows that do not belong there");

  std::size_t complete = times;
  for (const auto& [name, d] : part) {
    if (name == "cuts/error" || name == "cuts/layers") continue;
    const auto found = whole.find(name);
    if (found == whole.end()) return differs(name, "is not in the whole");
    const Dataset& w = found->second;
    if (d.row_bytes != w.row_bytes || (!d.grows && d.rows != w.rows))
      return differs(name, "has another shape");
    std::size_t rows = d.rows;
    if (d.grows && per_output(name)) {
      complete = std::min(complete, rows);
      if (rows > times + 1) return differs(name, "has more rows than there are output times");
      rows = std::min(rows, between ? times : w.rows);
    }
    if (rows > w.rows) return differs(name, "has more rows than the whole");
    if (!same_rows(d, w, rows)) return differs(name, "differs");
  }
  std::printf("%zu\n", complete);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "first_rows PART.h5 WHOLE.h5\n");
    return 2;
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const File part = read(argv[1]), whole = read(argv[2]);
  if (part.empty()) return differs(argv[1], "cannot be read");
  if (whole.empty()) return differs(argv[2], "cannot be read");
  return compare(part, whole);
}
