# The documentation site: cmake --build BUILD --target site makes BUILD/site from docs/ (docs/site/make). It is no part
# of the ordinary build; packages for it (markdown-it, temml) come from npm when it is first made.
find_program(COSIMO_DOCS_NODE NAMES node nodejs)
add_custom_target(site
  COMMAND bash ${PROJECT_SOURCE_DIR}/docs/site/make ${PROJECT_BINARY_DIR}/site-packages ${PROJECT_BINARY_DIR}/site
          ${PROJECT_VERSION}
  COMMENT "Documentation site in ${PROJECT_BINARY_DIR}/site" VERBATIM USES_TERMINAL)
if(COSIMO_TESTS)
  add_subdirectory(${PROJECT_SOURCE_DIR}/tests/docs)
endif()
