# The binary of exported FMUs (`cosimo fmu` puts it into archives): the modules, and every library that they need as
# far as Debian has it as a static one; src/exporting/alone/ takes the place of the rest. It needs nothing but libc
# and shows nothing but the functions of FMI, so that it gets along with whoever loads it.
#
# With sanitizers there is none: their libraries belong to programs.
if(COSIMO_SANITIZE)
  return()
endif()

set(COSIMO_FMU_ARCHIVES)
foreach(lib hdf5 sundials_ida sundials_nvecserial sundials_sunnonlinsolnewton sundials_generic
            klu amd colamd btf suitesparseconfig yaml-cpp pugixml sz aec z)
  find_library(COSIMO_STATIC_${lib} NAMES lib${lib}.a PATH_SUFFIXES hdf5/serial REQUIRED)
  list(APPEND COSIMO_FMU_ARCHIVES ${COSIMO_STATIC_${lib}})
endforeach()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/exporting/alone/*.cpp)
add_library(cosimo_fmu MODULE ${sources})
get_property(modules GLOBAL PROPERTY COSIMO_MODULES)
set(archives ${modules})
list(FILTER archives EXCLUDE REGEX "planning|series")
list(TRANSFORM archives REPLACE "(.+)" "$<TARGET_FILE:\\1>")
add_dependencies(cosimo_fmu ${modules})
target_include_directories(cosimo_fmu PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(cosimo_fmu SYSTEM PRIVATE ${COSIMO_HWY_INCLUDE})
target_link_libraries(cosimo_fmu PRIVATE cosimo_options)
set_target_properties(cosimo_fmu PROPERTIES PREFIX "" OUTPUT_NAME cosimo-fmu SUFFIX .so CXX_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/cosimo
  LINK_DEPENDS "${PROJECT_SOURCE_DIR}/src/exporting/alone/exports.map;${archives}")
target_link_libraries(cosimo_fmu PRIVATE
  -Wl,-u,fmi2Instantiate -Wl,-u,fmi3InstantiateCoSimulation
  -Wl,--start-group ${archives} ${COSIMO_FMU_ARCHIVES} -Wl,--end-group)
target_link_options(cosimo_fmu PRIVATE -s -static-libgcc -static-libstdc++ -Wl,-Bsymbolic -Wl,-z,defs -Wl,--gc-sections
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/exporting/alone/exports.map)
target_link_libraries(cosimo_fmu PRIVATE ${CMAKE_DL_LIBS} m pthread)

# What `./cosimo fmu` needs.
add_custom_target(cosimo_with_fmu DEPENDS cosimo_fmu)
add_dependencies(cosimo_with_fmu cosimo_app)

# METIS lies beside it.
file(REAL_PATH ${COSIMO_METIS} metis)
add_custom_command(TARGET cosimo_fmu POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${metis} ${PROJECT_BINARY_DIR}/lib/cosimo/libmetis.so.5 VERBATIM)
install(TARGETS cosimo_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/cosimo)
install(FILES ${metis} DESTINATION ${CMAKE_INSTALL_LIBDIR}/cosimo RENAME libmetis.so.5)
