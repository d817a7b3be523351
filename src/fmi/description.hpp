// The model description of an FMU (modelDescription.xml of FMI 2.0 and 3.0) as plain structs, the same for
// both versions: variables are numbered in the order of the file, and everything else refers to them by that
// number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cosimo::fmi {

enum class Type {
  float32,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  enumeration,
  string,
  binary,
  clock
};
/// A number, or something that is sent as one.
inline bool is_numeric(Type type) {
  return type < Type::string;
}
inline bool is_real(Type type) {
  return type <= Type::float64;
}

/// A unit in units of SI: value in SI = factor value + offset.
struct Unit {
  std::array<int, 8> exponents{};  ///< kg, m, s, A, K, mol, cd, rad
  double factor = 1, offset = 0;
};
using Units = std::map<std::string, Unit, std::less<>>;  ///< those that say what they are in SI

enum class Causality { parameter, calculated, structural, input, output, local, independent, dependent };
enum class Variability { constant, fixed, tunable, discrete, continuous };

inline constexpr std::size_t none = static_cast<std::size_t>(-1);

struct Variable {
  std::string name;
  std::uint32_t reference = 0;
  Type type = Type::float64;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::string unit;
  std::string declared_type;
  double nominal = 0;             ///< 0: not given
  bool set_before_start = false;  ///< its start value is ours to choose (initial: exact or approx)
  bool has_start = false;
  std::vector<double> start;            ///< of numbers: one for all elements, or one for each
  std::vector<std::string> start_text;  ///< of strings, and of binaries as bytes
  struct Dimension {
    std::uint64_t size = 0;
    std::size_t variable = none;  ///< the structural parameter that says it
  };
  std::vector<Dimension> dimensions;  ///< empty: a scalar
  std::size_t elements = 1;           ///< with the start values of structural parameters
  std::size_t derivative_of = none;
  int line = 0;

  bool held() const { return variability != Variability::continuous; }
};

/// An output, a derivative or an initial unknown, and what it depends on at once.
struct Unknown {
  std::size_t variable = none;
  bool known = false;  ///< false: on everything
  std::vector<std::size_t> dependencies{};
};

/// What the FMU can do as one of the two interfaces.
struct Abilities {
  std::string identifier;
  bool needs_tool = false;
  bool once_per_process = false;
  bool get_set_state = false, serialize = false;
  bool directional_derivatives = false;
  // Model exchange
  bool completed_step = true;  ///< wants to hear of accepted steps
  // Co-simulation
  bool variable_step = false;
  bool interpolates_inputs = false;
  int output_derivatives = 0;
  bool event_mode = false, intermediate_update = false;
};

struct Description {
  int version = 2;
  std::string model_name, token, tool;
  std::optional<Abilities> cosimulation, model_exchange;
  std::vector<Variable> variables;
  std::vector<Unknown> outputs, derivatives;
  std::size_t event_indicators = 0;
  Units units;
  std::map<std::string, std::map<std::string, double>> enumerations;  ///< type -> item -> value
  struct Experiment {
    std::optional<double> start, stop, tolerance, step;
  } experiment;

  /// none: there is no such variable.
  std::size_t find(std::string_view name) const;
};

/// Reads the file; messages call it `fmu`. Throws Error with all that is wrong.
Description read_description(const std::filesystem::path& xml, const std::string& fmu);
/// The same from the text of the file.
Description parse_description(const std::string& xml, const std::string& fmu);

/// "float64", "enumeration".
std::string_view name_of(Type type);
std::string_view name_of(Causality causality);

/// A number as XML schema writes it; nothing for anything else. Not finite where it says so.
std::optional<double> parse_real(std::string_view text);
/// Elements of an array with these sizes; none: too many for anybody.
std::size_t element_count(const std::vector<Variable::Dimension>& dimensions);

}  // namespace cosimo::fmi
