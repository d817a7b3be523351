#include "results/crash_safe_driver.hpp"

#include <cstddef>
#include <limits>
#include <new>
#include <span>

#include "results/crash_safe_file.hpp"

namespace cosimo {

namespace {

/// What the library knows of an open file: its own part first, then ours.
struct DriverFile {
  H5FD_t library;
  CrashSafeFile* file;
};

/// What a property list carries for the driver; the library copies it.
struct DriverInfo {
  CrashSafeFile* file;
};

CrashSafeFile& ours(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file)->file;
}

herr_t result(bool success) {
  return success ? 0 : -1;
}

bool is_metadata(H5FD_mem_t type) {
  return type != H5FD_MEM_DRAW;
}

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const void* info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  CrashSafeFile* file = static_cast<const DriverInfo*>(info)->file;
  if (!file->open()) return nullptr;
  auto* opened = new (std::nothrow) DriverFile{{}, file};
  return opened == nullptr ? nullptr : &opened->library;
}

herr_t close_file(H5FD_t* file) {
  ours(file).close();
  delete reinterpret_cast<DriverFile*>(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  // No aggregation: every block is allocated by CrashSafeFile::allocate.
  *flags = H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  return ours(file).allocate(size, is_metadata(type));
}

haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return ours(file).allocated();
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  ours(file).set_allocated(end);
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return ours(file).size();
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* out) {
  return ours(file).read(address, {static_cast<std::byte*>(out), size}) ? 0 : -1;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size, const void* block) {
  ours(file).write(address, {static_cast<const std::byte*>(block), size}, is_metadata(type));
  return 0;  // a failure is kept by the file: the library's own way out of one leaves its files open
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  return result(ours(file).truncate());
}

const H5FD_class_t& driver_class() {
  static const H5FD_class_t instance = {
      .name = "cosimo_crash_safe",
      .maxaddr = static_cast<haddr_t>(std::numeric_limits<::off_t>::max()),
      .fc_degree = H5F_CLOSE_STRONG,
      .terminate = nullptr,
      .sb_size = nullptr,
      .sb_encode = nullptr,
      .sb_decode = nullptr,
      .fapl_size = sizeof(DriverInfo),
      .fapl_get = nullptr,
      .fapl_copy = nullptr,
      .fapl_free = nullptr,
      .dxpl_size = 0,
      .dxpl_copy = nullptr,
      .dxpl_free = nullptr,
      .open = open_file,
      .close = close_file,
      .cmp = nullptr,
      .query = query,
      .get_type_map = nullptr,
      .alloc = allocate,
      .free = nullptr,
      .get_eoa = get_end_of_allocation,
      .set_eoa = set_end_of_allocation,
      .get_eof = get_end_of_file,
      .get_handle = nullptr,
      .read = read,
      .write = write,
      .flush = nullptr,
      .truncate = truncate,
      .lock = nullptr,
      .unlock = nullptr,
      .fl_map = H5FD_FLMAP_DICHOTOMY,
  };
  return instance;
}

}  // namespace

void use_crash_safe_driver(hid_t access, CrashSafeFile& file) {
  // For the life of the process: the library still looks at the driver when it has closed a driver's last
  // file.
  static const hid_t driver = checked(H5FDregister(&driver_class()), "register the file driver");
  const DriverInfo info{&file};
  checked(H5Pset_driver(access, driver, &info), "choose the file driver");
}

}  // namespace cosimo
