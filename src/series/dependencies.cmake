set(headers cosimo_headers_space)
target_include_directories(cosimo_series SYSTEM PRIVATE ${COSIMO_EIGEN_INCLUDE})
target_link_libraries(cosimo_series PRIVATE fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
