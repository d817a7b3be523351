set(headers cosimo_headers_space)
target_link_libraries(cosimo_run PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
