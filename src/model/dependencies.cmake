set(headers cosimo_headers_space)
cosimo_kernels(model spring_kernels.cpp)
