set(headers cosimo_headers_space)
cosimo_kernels(model link_kernels.cpp spring_kernels.cpp)
