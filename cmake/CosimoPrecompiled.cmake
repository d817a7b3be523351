# Headers that others wrote, parsed once instead of in every file: two thirds of the time of a build went into them.
#
# Three sets, each compiled by a target of its own and shared by all that name it (cosimo_precompile()):
#   cosimo_headers         the standard library: most modules
#   cosimo_headers_space   and Eigen, fmt: what works with vectors of space or writes text
#   cosimo_headers_test    and GoogleTest: test programs
# Our own headers are in none of them, so that an edit recompiles what includes it and nothing else. Where warnings are errors (COSIMO_STRICT: the
# preset dev, CI) there are none: there every file must include what it uses, and clang-tidy sees the files.
set(COSIMO_STANDARD_HEADERS
  <algorithm> <array> <atomic> <bit> <charconv> <cmath> <cstddef> <cstdint> <cstring> <filesystem> <fstream> <functional>
  <limits> <map> <memory> <numbers> <numeric> <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>)
set(COSIMO_SPACE_HEADERS <Eigen/Geometry> <fmt/format.h>)

function(cosimo_headers name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp CONTENT "// Nothing but its precompiled headers.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  target_link_libraries(${name} PRIVATE cosimo_options)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# cosimo_precompile(target set): the definitions that the set was compiled with belong to it.
function(cosimo_precompile target set)
  target_precompile_headers(${target} REUSE_FROM ${set})
  if(NOT set STREQUAL "cosimo_headers")
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fmt::fmt>)
  endif()
endfunction()

cosimo_headers(cosimo_headers ${COSIMO_STANDARD_HEADERS})
cosimo_headers(cosimo_headers_space ${COSIMO_STANDARD_HEADERS} ${COSIMO_SPACE_HEADERS})
target_include_directories(cosimo_headers_space SYSTEM PRIVATE ${COSIMO_EIGEN_INCLUDE})
target_link_libraries(cosimo_headers_space PRIVATE fmt::fmt)
if(COSIMO_TESTS)
  cosimo_headers(cosimo_headers_test ${COSIMO_STANDARD_HEADERS} ${COSIMO_SPACE_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
  target_include_directories(cosimo_headers_test SYSTEM PRIVATE ${COSIMO_EIGEN_INCLUDE})
  target_link_libraries(cosimo_headers_test PRIVATE fmt::fmt GTest::gtest GTest::gmock)
  # Programs are position-independent in another way than libraries, and headers must be compiled like their users.
  set_target_properties(cosimo_headers_test PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(cosimo_headers_test PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
endif()
