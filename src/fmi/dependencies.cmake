# The process of isolated FMUs: a program of its own, whose bytes become part of the library.
find_package(Threads REQUIRED)
add_executable(cosimo_fmu_host
  ${PROJECT_SOURCE_DIR}/src/fmi/host/main.cpp ${PROJECT_SOURCE_DIR}/src/fmi/instance.cpp
  ${PROJECT_SOURCE_DIR}/src/fmi/instance_fmi2.cpp ${PROJECT_SOURCE_DIR}/src/fmi/instance_fmi3.cpp
  ${PROJECT_SOURCE_DIR}/src/fmi/library.cpp ${PROJECT_SOURCE_DIR}/src/fmi/channel.cpp
  ${PROJECT_SOURCE_DIR}/src/fmi/file_uri.cpp)
target_link_libraries(cosimo_fmu_host PRIVATE cosimo_core cosimo_options fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(cosimo_fmu_host PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_options(cosimo_fmu_host PRIVATE -s)
cosimo_precompile(cosimo_fmu_host cosimo_headers)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/fmi/host_process.cpp PROPERTIES
  COMPILE_DEFINITIONS "COSIMO_FMU_HOST=\"$<TARGET_FILE:cosimo_fmu_host>\""
  OBJECT_DEPENDS ${PROJECT_BINARY_DIR}/cosimo_fmu_host)
add_dependencies(cosimo_fmi cosimo_fmu_host)

target_link_libraries(cosimo_fmi PRIVATE ${COSIMO_PUGIXML} ${COSIMO_ZIP} ${CMAKE_DL_LIBS})
target_include_directories(cosimo_fmi PRIVATE ${COSIMO_PUGIXML_INCLUDE} ${COSIMO_ZIP_INCLUDE})
# FMUs for the tests, from tests/fmus: a binary and a description each.
if(COSIMO_TESTS)
  set(fmu_folder ${PROJECT_BINARY_DIR}/fmus)
  set(fmus "")
  foreach(model half half3 gain ball clockwork)
    set(stage ${fmu_folder}/${model})
    set(version 2)
    if(model MATCHES "3$")
      set(version 3) # of FMI, over the same model
    endif()
    string(REGEX REPLACE "3$" "" header ${model})
    add_library(fmu_${model} MODULE EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/fmus/fmi${version}.cpp)
    target_include_directories(fmu_${model} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests/fmus)
    target_compile_definitions(fmu_${model} PRIVATE MODEL="${header}.hpp")
    if(COSIMO_SANITIZE)
      target_compile_definitions(fmu_${model} PRIVATE COSIMO_SANITIZED)
    endif()
    set_target_properties(fmu_${model} PROPERTIES PREFIX "" OUTPUT_NAME ${model} SUFFIX .so
      LIBRARY_OUTPUT_DIRECTORY ${stage}/binaries/linux64)
    add_custom_command(OUTPUT ${fmu_folder}/${model}.fmu
      COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/tests/fmus/${model}.xml ${stage}/modelDescription.xml
      COMMAND ${CMAKE_COMMAND} -E tar cf ${fmu_folder}/${model}.fmu --format=zip modelDescription.xml binaries
      DEPENDS fmu_${model} ${PROJECT_SOURCE_DIR}/tests/fmus/${model}.xml
      WORKING_DIRECTORY ${stage} VERBATIM)
    list(APPEND fmus ${fmu_folder}/${model}.fmu)
  endforeach()
  add_custom_target(test_fmus DEPENDS ${fmus})
  cmake_language(EVAL CODE "cmake_language(DEFER CALL add_dependencies fmi_test test_fmus)")
  cmake_language(EVAL CODE "cmake_language(DEFER CALL target_link_libraries fmi_test PRIVATE ${COSIMO_ZIP})")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/fmi/hostile_test.cpp ${PROJECT_SOURCE_DIR}/src/fmi/fmu_test.cpp
    ${PROJECT_SOURCE_DIR}/src/fmi/structure_test.cpp ${PROJECT_SOURCE_DIR}/src/fmi/isolated_test.cpp
    PROPERTIES COMPILE_DEFINITIONS "COSIMO_FMUS=\"${fmu_folder}\"")
endif()
