// The HDF5 file driver that passes the library's reads and writes to a CrashSafeFile: private
// to results/. The one place that depends on the shape of the library's driver interface
// (HDF5 1.10 and 1.12).
#pragma once

#include "results/hdf5_handles.hpp"

namespace cosimo {

class CrashSafeFile;

/// Files created with `access` go to `file`, which must outlive them.
void use_crash_safe_driver(hid_t access, CrashSafeFile& file);

}  // namespace cosimo
