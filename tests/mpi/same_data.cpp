// same_data A.h5 B.h5: exit code 0 when both hold the same data to the last bit, otherwise 1 and what
// differs.
#include "tests/support/same_data.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "same_data A.h5 B.h5\n");
    return 2;
  }
  const std::string found = cosimo::testing::difference(argv[1], argv[2]);
  if (found.empty()) return 0;
  std::printf("%s\n", found.c_str());
  return 1;
}
