target_link_libraries(cosimo_integrator PRIVATE ${COSIMO_SUNDIALS} ${COSIMO_KLU})
target_include_directories(cosimo_integrator PRIVATE ${COSIMO_SUNDIALS_INCLUDE} ${COSIMO_KLU_INCLUDE})
cosimo_kernels(integrator ida_kernels.cpp nvector_kernels.cpp rodas_kernels.cpp stage_kernels.cpp)
