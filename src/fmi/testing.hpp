// FMUs for tests: those of tests/fmus, and changed copies of them.
#pragma once

#include <zip.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "fmi/fmu_spec.hpp"
#include "fmi/temporary_folder.hpp"
#include "network/coupling_variables.hpp"
#include "network/interface.hpp"

namespace cosimo::testing {

inline std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// In the bytes of an archive; both have the same length.
inline void rename_entry(std::string& bytes, const std::string& old_name, const std::string& new_name) {
  for (std::size_t at = bytes.find(old_name); at != std::string::npos; at = bytes.find(old_name, at + 1))
    bytes.replace(at, old_name.size(), new_name);
}

/// The files of an FMU by name, to be changed and packed again.
struct Contents {
  std::map<std::string, std::string> files;
  std::vector<std::string> links;  ///< of them, those that are packed as links

  Contents() = default;
  explicit Contents(const std::string& model) {
    const std::filesystem::path stage = std::filesystem::path(COSIMO_FMUS) / model;
    files["modelDescription.xml"] = read_bytes(stage / "modelDescription.xml");
    files["binaries/linux64/" + model + ".so"] = read_bytes(stage / "binaries/linux64" / (model + ".so"));
  }
  std::string& xml() { return files["modelDescription.xml"]; }
  Contents& replace(const std::string& old_text, const std::string& new_text) {
    const std::size_t at = xml().find(old_text);
    if (at != std::string::npos) xml().replace(at, old_text.size(), new_text);
    return *this;
  }
  std::string pack(const std::filesystem::path& to) const {
    int code = 0;
    zip_t* archive = zip_open(to.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    for (const auto& [name, bytes] : files) {
      if (name.back() == '/') {
        zip_dir_add(archive, name.c_str(), ZIP_FL_ENC_RAW);
        continue;
      }
      zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
      const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_RAW);
      for (const std::string& link : links)
        if (link == name)
          zip_file_set_external_attributes(archive, static_cast<zip_uint64_t>(index), 0, ZIP_OPSYS_UNIX,
                                           0120777U << 16U);
    }
    zip_close(archive);
    return to.string();
  }
};

inline IntegratorOptions accurate(double end = 10) {
  IntegratorOptions options;
  options.tolerances.rtol = 1e-10;
  options.end = end;
  return options;
}

/// A component with all inputs (from component 0, outputs of nobody) and all outputs connected.
inline Interface all_connected(const ComponentSpec& spec) {
  Interface interface;
  for (std::size_t i = 0; i < spec.inputs().size(); ++i)
    interface.couplings.push_back(signal_coupling(PartId{std::size_t{0}}, i, PartId{std::size_t{1}}, i));
  for (std::size_t o = 0; o < spec.outputs().size(); ++o)
    interface.couplings.push_back(signal_coupling(PartId{std::size_t{1}}, o, PartId{std::size_t{0}}, o));
  return interface;
}

}  // namespace cosimo::testing
