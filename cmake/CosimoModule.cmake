# Compiler settings shared by every target of the project.
#
# -ffp-contract=off: a loop that the compiler versions by alignment or by trip
# count must round every element alike, so that results do not depend on how
# work is divided (see docs/decisions/0002-same-bits.md).
# -Wno-restrict: GCC 12 cries wolf on std::string's operator+ (its bug 105651).
add_library(cosimo_options INTERFACE)
target_compile_options(cosimo_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${COSIMO_STRICT}>:-Werror>
  $<$<CONFIG:Release>:-O3>)
# ccache sees through precompiled headers with this, and with CCACHE_SLOPPINESS as CMakeLists.txt sets it.
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  target_compile_options(cosimo_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()
target_compile_definitions(cosimo_options INTERFACE COSIMO_VERSION="${PROJECT_VERSION}")
set(COSIMO_SLOWER "")
if(COSIMO_SANITIZE)
  set(COSIMO_SLOWER 0) # timeouts of tests get another digit
  # What the address sanitizer sees as well (null, object-size) or a cast checks (vptr) costs five times the
  # compile time on templates; so do higher optimization and full debug information.
  target_compile_options(cosimo_options INTERFACE -fsanitize=${COSIMO_SANITIZE} -fno-omit-frame-pointer -O1 -g1
    -fno-sanitize=null,alignment,object-size,vptr)
  target_link_options(cosimo_options INTERFACE -fsanitize=${COSIMO_SANITIZE})
endif()

include(CosimoPrecompiled)

# cosimo_tests_use(name modules...): what the tests of a module use beyond it: modules that are built on it.
function(cosimo_tests_use name)
  if(TARGET ${name}_test)
    list(TRANSFORM ARGN PREPEND cosimo_)
    target_link_libraries(${name}_test PRIVATE ${ARGN})
  endif()
endfunction()

# cosimo_kernels(name sources...): sources of a module with vector kernels. Each is compiled for several processors
# (numerics/pack_targets.hpp), whatever machine builds it.
function(cosimo_kernels name)
  target_include_directories(cosimo_${name} SYSTEM PRIVATE ${COSIMO_HWY_INCLUDE})
  target_link_libraries(cosimo_${name} PRIVATE ${COSIMO_HWY})
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# cosimo_module(name [used modules...]): the static library cosimo_<name> from
# src/<name>/*.cpp, and the test program <name>_test from src/<name>/*_test.cpp.
function(cosimo_module name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(NOT sources)
    return()
  endif()
  add_library(cosimo_${name} STATIC ${sources})
  add_library(cosimo::${name} ALIAS cosimo_${name})
  set_target_properties(cosimo_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY COSIMO_MODULES cosimo_${name})
  target_include_directories(cosimo_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(cosimo_${name} PRIVATE $<BUILD_INTERFACE:cosimo_options>)
  foreach(used ${ARGN})
    if(TARGET cosimo_${used})
      target_link_libraries(cosimo_${name} PUBLIC cosimo_${used})
    endif()
  endforeach()
  set(headers cosimo_headers)
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${name}/dependencies.cmake)
    include(${PROJECT_SOURCE_DIR}/src/${name}/dependencies.cmake)
  endif()
  cosimo_precompile(cosimo_${name} ${headers})
  if(COSIMO_TESTS AND tests)
    add_executable(${name}_test ${tests} ${PROJECT_SOURCE_DIR}/tests/support/allocation_counter.cpp)
    target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name}_test PRIVATE cosimo_${name} cosimo_options GTest::gtest GTest::gmock GTest::gtest_main)
    cosimo_precompile(${name}_test cosimo_headers_test)
    include(GoogleTest)
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()
