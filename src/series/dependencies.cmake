set(headers cosimo_headers_space)
target_include_directories(cosimo_series SYSTEM PRIVATE ${COSIMO_EIGEN_INCLUDE})
