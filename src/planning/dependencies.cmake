set(headers cosimo_headers_space)
target_link_libraries(cosimo_planning PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
