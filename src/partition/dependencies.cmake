target_link_libraries(cosimo_partition PRIVATE ${COSIMO_METIS})
