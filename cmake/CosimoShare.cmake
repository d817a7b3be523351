# What belongs to an installed program beside it: manual page, completion, documentation, examples. The first two come
# from the program itself, so they are made when it is built.
set(COSIMO_ZSH_COMPLETIONS share/zsh/site-functions CACHE STRING "Where zsh looks for completions, below the prefix")

set(share ${PROJECT_BINARY_DIR}/share)
add_custom_command(OUTPUT ${share}/cosimo.1.gz ${share}/cosimo-study.1.gz ${share}/bash ${share}/zsh ${share}/fish
  COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:cosimo_app> -D FOLDER=${share}
          -P ${PROJECT_SOURCE_DIR}/cmake/WriteShare.cmake
  DEPENDS cosimo_app ${PROJECT_SOURCE_DIR}/cmake/WriteShare.cmake
  COMMENT "Manual page and completion" VERBATIM)
add_custom_target(cosimo_share ALL DEPENDS ${share}/cosimo.1.gz)

install(FILES ${share}/cosimo.1.gz ${share}/cosimo-study.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${share}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cosimo)
install(FILES ${share}/zsh DESTINATION ${COSIMO_ZSH_COMPLETIONS} RENAME _cosimo)
install(FILES ${share}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME cosimo.fish)

install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.json"
  PATTERN site EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  USE_SOURCE_PERMISSIONS
  PATTERN "*.out" EXCLUDE PATTERN "*.so" EXCLUDE PATTERN "*.fmu" EXCLUDE PATTERN binaries EXCLUDE)
