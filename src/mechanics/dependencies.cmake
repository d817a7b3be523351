set(headers cosimo_headers_space)
# Eigen's small fixed-size vectors and matrices are part of the interface of this module.
target_include_directories(cosimo_mechanics SYSTEM PUBLIC $<BUILD_INTERFACE:${COSIMO_EIGEN_INCLUDE}>)
# GCC 12 takes the intrinsics of AVX-512 themselves for uninitialised (its bug 105593) or out of bounds, wherever
# Eigen's larger matrices are inlined.
target_compile_options(cosimo_mechanics PUBLIC
  $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>>
  $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>>
  $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>>)
# Users' elements come from shared libraries (mechanics/user_element.cpp); the tests load the example and some
# that are wrong.
target_link_libraries(cosimo_mechanics PRIVATE ${CMAKE_DL_LIBS})
cosimo_kernels(mechanics body_kernels.cpp bushing_kernels.cpp elimination_kernels.cpp joint_kernels.cpp
               point_spring_kernels.cpp)
if(COSIMO_TESTS)
  set(element_folder ${PROJECT_BINARY_DIR}/user_elements)
  foreach(element examples/user_element/bump_stop src/mechanics/testing_elements)
    cmake_path(GET element FILENAME element_name)
    add_library(user_element_${element_name} MODULE EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/${element}.c)
    target_include_directories(user_element_${element_name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(user_element_${element_name} PRIVATE m)
    set_target_properties(user_element_${element_name} PROPERTIES
      PREFIX "" OUTPUT_NAME ${element_name} SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${element_folder})
    cmake_language(EVAL CODE
      "cmake_language(DEFER CALL add_dependencies mechanics_test user_element_${element_name})")
  endforeach()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/mechanics/user_element_test.cpp PROPERTIES COMPILE_DEFINITIONS
    "COSIMO_EXAMPLE_ELEMENT=\"${element_folder}/bump_stop.so\";COSIMO_TESTING_ELEMENTS=\"${element_folder}/testing_elements.so\"")
endif()
