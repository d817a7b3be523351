set(headers cosimo_headers_space)
target_link_libraries(cosimo_exporting PRIVATE fmt::fmt nlohmann_json::nlohmann_json ${COSIMO_PUGIXML} ${COSIMO_ZIP})
target_include_directories(cosimo_exporting PRIVATE ${COSIMO_PUGIXML_INCLUDE} ${COSIMO_ZIP_INCLUDE})
target_link_libraries(cosimo_exporting PRIVATE yaml-cpp)
# Tests over files of the repository need its place.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/exporting/carried_files_test.cpp
  PROPERTIES COMPILE_DEFINITIONS "COSIMO_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
