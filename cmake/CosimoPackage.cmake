# cpack -G DEB: everything that is installed, as one Debian package (tools/package). Whatever gets an install rule
# is in it.
set(COSIMO_MAINTAINER "Cosimo developers <developers@cosimo.invalid>" CACHE STRING "Who answers for the package")

set(CPACK_PACKAGE_NAME cosimo)
set(CPACK_PACKAGE_VENDOR "Cosimo developers")
set(CPACK_PACKAGE_CONTACT ${COSIMO_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "error-controlled parallel co-simulation of multibody systems")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Cosimo makes large multibody simulations fast: it cuts one mechanical model
into subsystems, integrates them in parallel, each with its own adaptive
solver, and couples them at macro-time points whose distance and order an
error estimate controls.

This package has the program, the library with its headers, the
documentation, and examples.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# mpirun; programs of one's own that use the library are linked to what it is built on.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin")
if(COSIMO_PYTHON_FOUND)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", python3, python3-numpy, python3-pandas")
endif()
file(STRINGS ${PROJECT_SOURCE_DIR}/tools/packages groups REGEX "^build: ")
string(REGEX MATCHALL "(lib|nlohmann)[a-z0-9+-]*-dev" suggested "${groups}")
list(JOIN suggested ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)

# What Debian wants to find in the documentation of a package, compressed.
set(debian ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH counts
file(WRITE ${debian}/changelog.Debian "cosimo (${PROJECT_VERSION}-1) bookworm; urgency=medium

  * Release ${PROJECT_VERSION}; changelog.gz tells what is new.

 -- ${COSIMO_MAINTAINER}  ${date}
")
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n(.)" "\n \\1" license "${license}")
file(WRITE ${debian}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: cosimo

Files: *
Copyright: Cosimo developers
License: BSD-3-Clause
 ${license}")
file(COPY_FILE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${debian}/changelog)
foreach(name changelog changelog.Debian)
  execute_process(COMMAND gzip -9nf ${debian}/${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(COSIMO_DEBIAN)
  install(FILES ${debian}/changelog.gz ${debian}/changelog.Debian.gz ${debian}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
include(CPack)
