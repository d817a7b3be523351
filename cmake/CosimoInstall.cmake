# cmake --install: the program, the library and what find_package(cosimo) needs.
#
# The modules are installed as static libraries behind the one target cosimo::cosimo; of the
# headers only the public interface is.
include(CMakePackageConfigHelpers)

set(cosimo_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cosimo)
get_property(cosimo_modules GLOBAL PROPERTY COSIMO_MODULES)

set_target_properties(cosimo_library PROPERTIES EXPORT_NAME cosimo)
install(TARGETS cosimo_library ${cosimo_modules} EXPORT cosimo
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/cosimo)
install(EXPORT cosimo NAMESPACE cosimo:: FILE cosimoTargets.cmake DESTINATION ${cosimo_package_dir})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/cosimoConfig.cmake.in ${PROJECT_BINARY_DIR}/cosimoConfig.cmake
  INSTALL_DESTINATION ${cosimo_package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cosimoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cosimoConfig.cmake ${PROJECT_BINARY_DIR}/cosimoConfigVersion.cmake
  DESTINATION ${cosimo_package_dir})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cosimo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/src/core/error.hpp ${PROJECT_SOURCE_DIR}/src/core/nearest.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/core)
install(TARGETS cosimo_app cosimo_study RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(NOT COSIMO_DEBIAN) # there it is called copyright
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
