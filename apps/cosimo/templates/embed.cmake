# cosimo_templates(OUT names...): C++ source with the texts of templates/<name>.yaml, in this order.
function(cosimo_templates out)
  set(entries "")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/templates_text.cpp)
  foreach(name ${ARGN})
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/templates/${name}.yaml)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"yaml(${text})yaml\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${source} CONTENT [[
#include "apps/cosimo/templates.hpp"

namespace cosimo::cli {

std::span<const Template> templates() {
  static constexpr Template all[] = {
@entries@  };
  return all;
}

}  // namespace cosimo::cli
]] @ONLY)
  set(${out} ${source} PARENT_SCOPE)
endfunction()
