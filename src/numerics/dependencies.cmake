# KLU factorises general sparse matrices, Eigen (headers only) dense ones, METIS divides their graphs; none
# shows in our headers.
target_include_directories(cosimo_numerics SYSTEM PRIVATE ${COSIMO_KLU_INCLUDE} ${COSIMO_EIGEN_INCLUDE})
target_link_libraries(cosimo_numerics PRIVATE ${COSIMO_KLU} ${COSIMO_METIS})
cosimo_kernels(numerics block_kernels.cpp largest_motion.cpp pack_choice.cpp)
