# The pages of runs and studies: TypeScript, bundled by npm's esbuild into one template at build time.
#
# cosimo_page_template(OUT): the generated C++ source with the template in it. Packages go to the build
# folder, exactly those of apps/report/page/package-lock.json; builds without tests take only what bundling needs.
option(COSIMO_PAGE "Bundle the report page (needs npm and, once, its registry)" ON)

if(COSIMO_PAGE)
  find_program(COSIMO_NODE NAMES node nodejs)
  find_program(COSIMO_NPM npm)
  if(NOT COSIMO_NODE OR NOT COSIMO_NPM)
    message(FATAL_ERROR
      "The report page is bundled with Node.js and npm, and they are not there.\n"
      "Install them (Debian: apt-get install nodejs npm), or build without the page: -DCOSIMO_PAGE=OFF")
  endif()
  execute_process(COMMAND ${COSIMO_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(version VERSION_LESS 18)
    message(FATAL_ERROR
      "The report page needs Node.js 18 or newer; ${COSIMO_NODE} is ${version}.\n"
      "Install a newer one, or build without the page: -DCOSIMO_PAGE=OFF")
  endif()
endif()

set(COSIMO_PAGE_MODULES ${PROJECT_BINARY_DIR}/page)

function(cosimo_page_template out)
  set(source ${PROJECT_SOURCE_DIR}/apps/report/page)
  set(modules ${COSIMO_PAGE_MODULES})
  set(packages ${modules}/packages.stamp)
  file(MAKE_DIRECTORY ${modules})
  set(omit "dev")
  if(COSIMO_TESTS)
    set(omit "")
  endif()
  # A tree that turns its tests on later needs the packages of the tests, too.
  file(CONFIGURE OUTPUT ${modules}/omit.txt CONTENT "${omit}\n" @ONLY)
  add_custom_command(OUTPUT ${packages}
    COMMAND ${CMAKE_COMMAND} -D NPM=${COSIMO_NPM} -D SOURCE=${source} -D FOLDER=${modules} -D OMIT=${omit}
            -D STAMP=${packages} -P ${PROJECT_SOURCE_DIR}/cmake/InstallNpmPackages.cmake
    DEPENDS ${source}/package.json ${source}/package-lock.json ${modules}/omit.txt
            ${PROJECT_SOURCE_DIR}/cmake/InstallNpmPackages.cmake
    COMMENT "Packages of the report page" VERBATIM)

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${source}/src/*.ts ${source}/src/*.css ${source}/src/*.html)
  add_custom_command(OUTPUT ${modules}/template.cpp ${modules}/template.html
    COMMAND ${COSIMO_NODE} ${source}/build.mjs ${modules} ${modules}
    DEPENDS ${packages} ${source}/build.mjs ${sources}
    COMMENT "Bundling the report page" VERBATIM)
  # A target of its own: bundling waits for no library.
  add_custom_target(page_template DEPENDS ${modules}/template.cpp)
  set(${out} ${modules}/template.cpp PARENT_SCOPE)
endfunction()
