target_link_libraries(cosimo_parallel PUBLIC Threads::Threads)
