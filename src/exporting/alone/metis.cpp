// METIS divides graphs. It exists as a shared library only, which lies beside the binary of the FMU and is
// loaded when a model is to be divided.
#include <dlfcn.h>
#include <metis.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"

namespace {

void* function(const char* name) {
  static void* const library = [] {
    Dl_info own{};
    void* found = nullptr;
    if (::dladdr(reinterpret_cast<void*>(&function), &own) != 0)
      found = ::dlopen((std::filesystem::path(own.dli_fname).parent_path() / "libmetis.so.5").c_str(),
                       RTLD_NOW | RTLD_LOCAL);
    return found != nullptr ? found : ::dlopen("libmetis.so.5", RTLD_NOW | RTLD_LOCAL);
  }();
  void* const found = library != nullptr ? ::dlsym(library, name) : nullptr;
  if (found == nullptr)
    throw cosimo::Error(
        cosimo::Fault{.field = "libmetis.so.5",
                      .problem = "does not lie beside the binary of the FMU",
                      .remedy = "unpack the whole folder of binaries, or write `partition: none`"});
  return found;
}

}  // namespace

#define CALL(name, ...) return reinterpret_cast<decltype(&name)>(function(#name))(__VA_ARGS__)

extern "C" {

int METIS_SetDefaultOptions(idx_t* options) {
  CALL(METIS_SetDefaultOptions, options);
}
int METIS_PartGraphRecursive(idx_t* n, idx_t* balances, idx_t* first, idx_t* neighbour, idx_t* weights,
                             idx_t* sizes, idx_t* costs, idx_t* parts, real_t* shares, real_t* imbalance,
                             idx_t* options, idx_t* cut, idx_t* part) {
  CALL(METIS_PartGraphRecursive, n, balances, first, neighbour, weights, sizes, costs, parts, shares,
       imbalance, options, cut, part);
}
int METIS_PartGraphKway(idx_t* n, idx_t* balances, idx_t* first, idx_t* neighbour, idx_t* weights,
                        idx_t* sizes, idx_t* costs, idx_t* parts, real_t* shares, real_t* imbalance,
                        idx_t* options, idx_t* cut, idx_t* part) {
  CALL(METIS_PartGraphKway, n, balances, first, neighbour, weights, sizes, costs, parts, shares, imbalance,
       options, cut, part);
}
int METIS_ComputeVertexSeparator(idx_t* n, idx_t* first, idx_t* neighbour, idx_t* weights, idx_t* options,
                                 idx_t* size, idx_t* part) {
  CALL(METIS_ComputeVertexSeparator, n, first, neighbour, weights, options, size, part);
}

}  // extern "C"
