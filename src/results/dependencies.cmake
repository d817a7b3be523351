# The C library alone. Nothing of it shows in the module's public headers; the include folder is
# for the tests beside, which look at files the way any HDF5 program does.
target_include_directories(cosimo_results SYSTEM PUBLIC "$<BUILD_INTERFACE:${HDF5_C_INCLUDE_DIRS}>")
target_link_libraries(cosimo_results PRIVATE ${HDF5_C_LIBRARIES})
# For the tests beside, which read the trace back.
target_link_libraries(cosimo_results PUBLIC $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
