target_link_libraries(cosimo_config PRIVATE yaml-cpp $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> ${COSIMO_PUGIXML})
target_include_directories(cosimo_config SYSTEM PRIVATE ${COSIMO_PUGIXML_INCLUDE} ${COSIMO_EIGEN_INCLUDE})

# Tests over files of the repository need its place.
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/src/config/bad_input_test.cpp ${PROJECT_SOURCE_DIR}/src/config/schema_test.cpp
  PROPERTIES COMPILE_DEFINITIONS "COSIMO_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
