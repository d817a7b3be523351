// Debian's static libraries are compiled for programs: they take the address of libc's variables for known,
// which in a library that is loaded later it is not. These are ours, seen by nobody else.
#include <dlfcn.h>

#include <cstdio>

#define HIDDEN __attribute__((visibility("hidden")))

extern "C" {

HIDDEN extern char __libc_single_threaded;
char __libc_single_threaded = 0;

#undef stderr
#undef stdout
HIDDEN extern FILE* stderr;
HIDDEN extern FILE* stdout;
FILE* stderr = nullptr;
FILE* stdout = nullptr;
}

namespace {

__attribute__((constructor(101))) void take_streams() {
  if (void* found = ::dlsym(RTLD_DEFAULT, "stderr")) stderr = *static_cast<FILE**>(found);
  if (void* found = ::dlsym(RTLD_DEFAULT, "stdout")) stdout = *static_cast<FILE**>(found);
}

}  // namespace
