#include "exporting/carried_robot.hpp"

#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "config/robot_look.hpp"
#include "core/error.hpp"

namespace cosimo::exporting {

namespace {

namespace fs = std::filesystem;

pugi::xml_document read(const fs::path& file) {
  pugi::xml_document document;
  if (const auto read = document.load_file(file.c_str()); !read)
    throw Error(Fault{.file = file.string(), .problem = read.description(), .remedy = "correct the file"});
  return document;
}

/// As config/mjcf_source.cpp does: all names are relative to the first file.
void write_includes_out(pugi::xml_node element, const fs::path& folder) {
  for (pugi::xml_node child = element.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    if (child.name() == std::string("include")) {
      const pugi::xml_document inner = read(folder / child.attribute("file").value());
      write_includes_out(inner.document_element(), folder);
      for (const pugi::xml_node each : inner.document_element().children())
        element.insert_copy_before(each, child);
      element.remove_child(child);
    } else {
      write_includes_out(child, folder);
    }
    child = next;
  }
}

/// The folder of meshes, which names in the copy do without.
fs::path take_folder(pugi::xml_node root) {
  std::string folder;
  for (pugi::xml_node compiler : root.children("compiler"))
    for (const char* name : {"assetdir", "meshdir"})
      if (const pugi::xml_attribute given = compiler.attribute(name)) {
        folder = given.value();
        compiler.remove_attribute(given);
      }
  return folder;
}

}  // namespace

std::string carried_robot(const fs::path& robot,
                          const std::function<std::string(const fs::path& mesh)>& carry) {
  pugi::xml_document document = read(robot);
  const pugi::xml_node root = document.document_element();
  const bool urdf = root.name() == std::string("robot");
  if (!urdf) write_includes_out(root, robot.parent_path());
  const fs::path folder = urdf ? fs::path() : take_folder(root);
  for (const pugi::xpath_node& each : root.select_nodes(urdf ? ".//mesh[@filename]" : ".//mesh[@file]")) {
    pugi::xml_attribute name = each.node().attribute(urdf ? "filename" : "file");
    const std::string given = urdf ? std::string(name.value()) : (folder / name.value()).string();
    if (const auto mesh = config::robot::find_mesh(given, robot)) name.set_value(carry(*mesh).c_str());
  }
  std::ostringstream text;
  document.save(text, " ");
  return std::move(text).str();
}

}  // namespace cosimo::exporting
