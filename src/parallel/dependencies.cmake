target_link_libraries(cosimo_parallel PUBLIC Threads::Threads)
# Open MPI between processes (parallel/mpi_exchange.cpp).
target_include_directories(cosimo_parallel SYSTEM PRIVATE ${COSIMO_MPI_INCLUDE})
target_compile_definitions(cosimo_parallel PRIVATE OMPI_SKIP_MPICXX)  # its C interface only
target_link_libraries(cosimo_parallel PRIVATE ${COSIMO_MPI})
