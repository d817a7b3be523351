#include "fmi/prepared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "fmi/isolated_instance.hpp"

namespace cosimo::fmi {

Prepared::Prepared(std::string name, const FmuSettings& settings, double end, double tolerance,
                   const std::atomic<bool>* interrupt)
    : name_(std::move(name)),
      fmu_(open_fmu(settings.file, settings.use, !settings.isolate)),
      end_(end),
      tolerance_(tolerance),
      interrupt_(interrupt) {
  if (settings.isolate) isolated_ = settings.time_limit;
  std::vector<Fault> faults;
  for (const FmuValue& value : settings.set) check(value, faults);
  if (faults.empty() && !structural_.empty()) resize(faults);
  if (faults.empty()) check_counts(settings.set, faults);
  if (!faults.empty()) throw Error(std::move(faults));
}

namespace {

std::string words_of(const FmuValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  const auto& numbers = std::get<std::vector<double>>(value.value);
  return numbers.size() == 1 ? fmt::format("{}", numbers.front())
                             : fmt::format("[{}]", fmt::join(numbers, ", "));
}

/// The least and the largest number of a type that holds whole numbers.
std::pair<double, double> range_of(Type type, int version) {
  const auto limits = []<class T>(T) -> std::pair<double, double> {
    // The largest double that the type holds, where it holds more digits than a double.
    constexpr int spare = std::max(0, std::numeric_limits<T>::digits - std::numeric_limits<double>::digits);
    return {static_cast<double>(std::numeric_limits<T>::min()),
            static_cast<double>((std::numeric_limits<T>::max() >> spare) << spare)};
  };
  switch (type) {
    case Type::int8:
      return limits(std::int8_t{});
    case Type::uint8:
      return limits(std::uint8_t{});
    case Type::int16:
      return limits(std::int16_t{});
    case Type::uint16:
      return limits(std::uint16_t{});
    case Type::int32:
      return limits(std::int32_t{});
    case Type::uint32:
      return limits(std::uint32_t{});
    case Type::uint64:
      return limits(std::uint64_t{});
    case Type::boolean:
      return {0, 1};
    case Type::enumeration:
      return version == 2 ? limits(std::int32_t{}) : limits(std::int64_t{});
    default:
      return limits(std::int64_t{});
  }
}

}  // namespace

Fault Prepared::fault_at(const FmuValue& value, std::string problem, std::string remedy) const {
  return {.file = value.at.file.empty() ? fmu_->file : value.at.file,
          .line = value.at.line,
          .column = value.at.column,
          .field = value.at.field.empty() ? name_ + ".set." + value.name : value.at.field,
          .value = words_of(value),
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

void Prepared::check(const FmuValue& value, std::vector<Fault>& faults) {
  const auto complain = [&](std::string problem, std::string remedy) {
    faults.push_back(fault_at(value, std::move(problem), std::move(remedy)));
  };
  const std::size_t found = description().find(value.name);
  if (found == none) {
    std::vector<std::string_view> known;
    for (const Variable& each : description().variables)
      if (each.set_before_start) known.push_back(each.name);
    const std::string_view near = nearest(value.name, known);
    return complain("the FMU has no variable of this name",
                    near.empty() ? "name one of its parameters" : fmt::format("did you mean `{}`?", near));
  }
  const Variable& variable = description().variables[found];
  if (!variable.set_before_start)
    return complain(
        fmt::format("it is no parameter, input or start value, but {}", name_of(variable.causality)),
        "set what it depends on");
  const std::size_t before = faults.size();
  Chosen chosen{.variable = found};
  if (is_numeric(variable.type)) {
    check_numbers(variable, value, faults);
    if (faults.size() == before) chosen.numbers = std::get<std::vector<double>>(value.value);
  } else if (variable.type == Type::clock) {
    complain("clocks are not supported", "leave it out");
  } else if (const auto* text = std::get_if<std::string>(&value.value)) {
    chosen.texts = {*text};
  } else {
    complain("must be a text", "write it in quotation marks");
  }
  if (faults.size() > before) return;
  (variable.causality == Causality::structural ? structural_ : others_).push_back(std::move(chosen));
}

void Prepared::check_numbers(const Variable& variable, const FmuValue& value,
                             std::vector<Fault>& faults) const {
  const auto complain = [&](std::string problem, std::string remedy) {
    faults.push_back(fault_at(value, std::move(problem), std::move(remedy)));
  };
  const auto* numbers = std::get_if<std::vector<double>>(&value.value);
  if (numbers == nullptr)
    return complain("must be a number", fmt::format("its type is {}", name_of(variable.type)));
  if (variable.causality == Causality::structural && numbers->size() != variable.elements)
    return complain(fmt::format("structural parameters take a value for each element, here {}, not {}",
                                variable.elements, numbers->size()),
                    variable.elements == 1 ? "write one number" : "write a list of that many");
  if (is_real(variable.type)) {
    const double most = variable.type == Type::float32 ? std::numeric_limits<float>::max()
                                                       : std::numeric_limits<double>::infinity();
    if (std::any_of(numbers->begin(), numbers->end(), [&](double x) { return std::fabs(x) > most; }))
      complain("is too large", fmt::format("its type is {}", name_of(variable.type)));
    return;
  }
  const auto whole = [](double x) { return x == std::nearbyint(x); };
  if (!std::all_of(numbers->begin(), numbers->end(), whole))
    return complain("must be a whole number", fmt::format("its type is {}", name_of(variable.type)));
  const auto [least, most] = range_of(variable.type, description().version);
  if (std::any_of(numbers->begin(), numbers->end(), [&](double x) { return x < least || x > most; }))
    complain(fmt::format("must be between {:.0f} and {:.0f}", least, most),
             fmt::format("its type is {}", name_of(variable.type)));
}

/// When sizes are known.
void Prepared::check_counts(const std::vector<FmuValue>& values, std::vector<Fault>& faults) const {
  for (const FmuValue& value : values) {
    const Variable& variable = description().variables[description().find(value.name)];
    const auto* numbers = std::get_if<std::vector<double>>(&value.value);
    const std::size_t count = numbers != nullptr ? numbers->size() : 1;
    if (variable.causality == Causality::structural || count == 1 || count == variable.elements) continue;
    faults.push_back(fault_at(
        value, fmt::format("has {} values, not {}", count, variable.elements),
        variable.elements == 1 ? "give one value" : "give one value for all elements, or one for each"));
  }
}

/// Arrays are as large as structural parameters say.
void Prepared::resize(std::vector<Fault>& faults) {
  for (Variable& variable : fmu_->description.variables) {
    bool changed = false;
    for (Variable::Dimension& dimension : variable.dimensions)
      for (const Chosen& each : structural_)
        if (each.variable == dimension.variable) {
          dimension.size = static_cast<std::uint64_t>(std::max(0.0, std::min(each.numbers[0], 1e9)));
          changed = true;
        }
    if (!changed) continue;
    const std::size_t before = variable.elements;
    variable.elements = element_count(variable.dimensions);
    if (variable.elements == none || variable.elements == 0)
      faults.push_back({.file = fmu_->file,
                        .field = name_ + ".set",
                        .value = variable.name,
                        .problem = "this array would have no elements, or more than a million",
                        .remedy = "choose other values for the structural parameters"});
    // Start values of another size do not fit any more: the FMU has its own.
    if (variable.elements != before && variable.start.size() > 1) variable.start.clear();
  }
}

void Prepared::refuse(const Instance& instance, const std::string& problem) const {
  const std::string why = instance.complaint();
  throw Error(Fault{
      .file = fmu_->file,
      .value = name_,
      .problem = problem + (why.empty() ? "" : " (" + why + ")"),
      .remedy = fmu_->remedy("look at the values that are set, or try the FMU in the tool that made it")});
}

std::unique_ptr<Instance> Prepared::begin() const {
  auto instance = isolated_ ? isolate(fmu_, name_, *isolated_, interrupt_) : instantiate(fmu_, name_);
  const auto set = [&](const Chosen& chosen) {
    const Variable& variable = description().variables[chosen.variable];
    Result result = Result::ok;
    if (is_numeric(variable.type)) {
      const Channel channel(description(), {chosen.variable});
      std::vector<double> values = chosen.numbers;
      if (values.size() < variable.elements) values.resize(variable.elements, values.front());
      result = instance->set(channel, values);
    } else {
      std::vector<std::string> texts = chosen.texts;
      texts.resize(variable.elements, texts.front());
      result = instance->set_text(variable, texts);
    }
    if (result != Result::ok)
      refuse(*instance, "the FMU does not accept the value of `" + variable.name + "`");
  };
  if (!structural_.empty()) {
    if (instance->configure(true) != Result::ok) refuse(*instance, "the FMU has no configuration mode");
    for (const Chosen& each : structural_) set(each);
    if (instance->configure(false) != Result::ok)
      refuse(*instance, "the FMU refuses these structural parameters");
  }
  // Start values of the description are the FMU's own: only what is chosen is set.
  for (const Chosen& each : others_) set(each);
  if (instance->enter_initialisation(0, end_, tolerance_) != Result::ok)
    refuse(*instance, "the FMU cannot be initialised");
  return instance;
}

}  // namespace cosimo::fmi
