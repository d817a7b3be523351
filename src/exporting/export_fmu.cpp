// From a scenario to an archive: what it shows, what it carries, what it says about itself.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/scenario.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "cosimo/fmu.hpp"
#include "cosimo/simulation.hpp"
#include "exporting/archive_writer.hpp"
#include "exporting/carried_files.hpp"
#include "exporting/manifest.hpp"
#include "exporting/model_description.hpp"
#include "exporting/parameters.hpp"
#include "exporting/target.hpp"
#include "exporting/write_file.hpp"
#include "fmi/structure.hpp"
#include "fmi/temporary_folder.hpp"
#include "fmi/unpack.hpp"

namespace cosimo {

using namespace exporting;

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, std::string field, std::string value, std::string problem,
                         std::string remedy) {
  throw Error(Fault{.file = file,
                    .field = std::move(field),
                    .value = std::move(value),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

std::string token_of(const std::string& text) {
  const std::uint64_t a = digest(text), b = digest("cosimo " + text);
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", a >> 32U, (a >> 16U) & 0xffffU, a & 0xffffU,
                     b >> 48U, b & 0xffffffffffffULL);
}

/// Letters beyond ASCII that are no UTF-8 have no place in the files inside.
std::string readable(std::string name) {
  const auto strange = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) !=
      nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore))
    std::ranges::replace_if(name, strange, '_');
  return name;
}

}  // namespace

struct FmuExport::Impl {
  Impl(const fs::path& given_file, const std::vector<std::string>& given, const FmuOptions& wanted)
      : file(given_file), overrides(given), options(wanted) {
    if (fmi::is_structure(file))
      refuse(file.string(), "", "", "a System Structure Package cannot be exported",
             "export a scenario that has its FMUs as subsystems, `fmu: " + file.filename().string() +
                 "/resources/NAME.fmu`, and their `connections`");
    tell("reading " + file.string());
    const Scenario scenario = Scenario::load(file, overrides);
    const config::Scenario& data = scenario.data();
    tell("building the model");
    RunOptions alone;
    alone.threads = 1;
    const Simulation simulation(scenario, std::move(alone));
    manifest.model = readable(file.stem().string());
    manifest.threads = options.threads;
    manifest.end = data.simulate.end;
    manifest.tolerance = data.solve.rtol;
    if (!data.control.step) manifest.control = data.control.rtol.value_or(0);
    step = data.simulate.output.value_or(data.simulate.end / 100);
    for (const config::SubsystemSpec& each : data.subsystems)
      if (std::holds_alternative<config::Fmu>(each.kind))
        notes.push_back(
            fmt::format("the FMU {} travels inside, with its binary for 64-bit Linux", each.name));
    manifest.saves = can_save(simulation);
    manifest.variables.push_back({.name = "time", .causality = Causality::independent});
    Parameters found = parameters_of(file, overrides, data);
    notes.insert(notes.end(), found.notes.begin(), found.notes.end());
    for (exporting::Variable& each : found.variables) {
      parameters.push_back({each.name, each.start});
      manifest.variables.push_back(std::move(each));
    }
    add_inputs(simulation);
    add_outputs(data, simulation);
    require_names(data);
    std::string all = data.effective + std::string(version());
    for (const exporting::Variable& each : manifest.variables)
      all += fmt::format("\n{} {} {}", each.name, static_cast<int>(each.causality), each.key);
    manifest.token = token_of(all);
  }

  void tell(const std::string& what) const {
    if (options.progress) options.progress(what);
  }

  bool can_save(const Simulation& simulation) {
    try {
      static_cast<void>(simulation.save());
      return true;
    } catch (const Error& error) {
      notes.push_back(std::string("no state can be saved or restored: ") + error.what());
      return false;
    }
  }

  void add_inputs(const Simulation& simulation) {
    const std::vector<std::string>& names = simulation.variables();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!simulation.is_input(i)) continue;
      const double start = simulation.get(i);
      manifest.variables.push_back({.name = names[i], .causality = Causality::input, .start = start});
      inputs.push_back({names[i], start});
    }
  }

  void add_outputs(const config::Scenario& data, const Simulation& simulation) {
    const std::vector<std::string>& names = simulation.variables();
    std::vector<std::size_t> chosen;
    for (const std::string& name : data.exported.outputs) {
      try {
        chosen.push_back(simulation.index(name));
      } catch (const Error& error) {
        refuse(data.file, "export.outputs", name, "there is no such variable", error.faults().front().remedy);
      }
      if (simulation.is_input(chosen.back()))
        refuse(data.file, "export.outputs", name, "it is an input already", "leave it out");
    }
    for (std::size_t i = 0; i < names.size() && data.exported.outputs.empty(); ++i)
      if (!simulation.is_input(i)) chosen.push_back(i);
    const std::vector<double> values = simulation.values();
    for (const std::size_t i : chosen) {
      const bool rate = names[i].starts_with("der(");
      manifest.variables.push_back({.name = names[i],
                                    .causality = Causality::output,
                                    .start = values[i],
                                    .state = rate || simulation.rate_of(i) != i});
      outputs.push_back({names[i], values[i]});
    }
  }

  /// Importers tell variables by their names; a parameter has one key.
  void require_names(const config::Scenario& data) const {
    std::set<std::string> names, keys;
    for (const exporting::Variable& each : manifest.variables) {
      const bool parameter = each.causality == Causality::parameter;
      const char* field = parameter                             ? "export.parameters"
                          : each.causality == Causality::output ? "export.outputs"
                                                                : "subsystems";
      if (!names.insert(each.name).second)
        refuse(data.file, field, each.name, "another variable of the FMU has this name", "rename it");
      if (parameter && !keys.insert(each.key).second)
        refuse(data.file, field, each.name, "another parameter stands for " + each.key, "leave one out");
    }
  }

  void require_binary() const {
    std::error_code ignored;
    if (fs::is_regular_file(options.binary, ignored)) return;
    refuse("", "binary", options.binary.string(), "the binary of exported FMUs is not there",
           "`./cosimo fmu` builds it, as does `cmake --build BUILD --target cosimo_fmu`");
  }

  void write(const fs::path& archive, int fmi) const {
    require_binary();
    require_target(archive);
    tell(fmt::format("packing {}", archive.string()));
    const TemporaryFolder folder;
    const fs::path root = folder.path() / "fmu", packed = folder.path() / "packed";
    const fs::path resources = root / "resources",
                   binaries = root / "binaries" / (fmi == 2 ? fmi2_platform : fmi3_platform);
    fs::create_directories(resources);
    fs::create_directories(binaries);
    Manifest own = manifest;
    const Carried carried = carry_files(file, overrides, resources / "model");
    require_no_source(archive, carried.sources);
    own.scenario = (fs::path("model") / carried.scenario).generic_string();
    own.settings = carried.settings;
    static_cast<void>(Scenario::load(resources / own.scenario, own.settings));
    write_manifest(own, resources);
    const std::string identifier = identifier_of(own.model);
    copy_to(options.binary, binaries / (identifier + ".so"));
    const fs::path metis = options.binary.parent_path() / "libmetis.so.5";
    std::error_code ignored;
    if (fs::exists(metis, ignored)) copy_to(metis, binaries / metis.filename());
    write_file(root / "modelDescription.xml", model_description(own, identifier, step, fmi));
    write_archive(root, packed);
    put_in_place(packed, archive);
  }

  fs::path file;
  std::vector<std::string> overrides;
  FmuOptions options;
  Manifest manifest;
  double step = 0;
  std::vector<FmuExport::Variable> inputs, outputs, parameters;
  std::vector<std::string> notes;
};

FmuExport::FmuExport(const fs::path& file, const std::vector<std::string>& overrides,
                     const FmuOptions& options)
    : impl_(std::make_unique<Impl>(file, overrides, options)) {}
FmuExport::~FmuExport() = default;
FmuExport::FmuExport(FmuExport&&) noexcept = default;
FmuExport& FmuExport::operator=(FmuExport&&) noexcept = default;

const std::vector<FmuExport::Variable>& FmuExport::inputs() const {
  return impl_->inputs;
}
const std::vector<FmuExport::Variable>& FmuExport::outputs() const {
  return impl_->outputs;
}
const std::vector<FmuExport::Variable>& FmuExport::parameters() const {
  return impl_->parameters;
}
const std::vector<std::string>& FmuExport::notes() const {
  return impl_->notes;
}
void FmuExport::require_target(const fs::path& archive) {
  exporting::require_target(archive);
}
void FmuExport::write(const fs::path& archive, int version) const {
  impl_->write(archive, version);
}

}  // namespace cosimo
