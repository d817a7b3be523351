#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "cosimo/cosimo.h"
#include "cosimo/simulation.hpp"

struct cosimo_simulation {
  cosimo::Simulation simulation;
  std::string message{};
};

struct cosimo_state {
  std::vector<std::byte> bytes;
};

namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();  ///< the time of no simulation

/// Runs `work` and turns what it throws into a number and a message.
template <class Work>
int guarded(std::string& message, Work&& work) noexcept {
  try {
    try {
      return std::forward<Work>(work)();
    } catch (const cosimo::Error& error) {
      message = error.what();
      return COSIMO_WRONG;
    } catch (const std::bad_alloc&) {
      message = "there is not enough memory";
    } catch (const std::exception& error) {
      message = error.what();
    }
  } catch (...) {  // no memory for the message either: the old one stays
  }
  return COSIMO_FAILED;
}

[[noreturn]] void refuse(const char* field, std::string value, const char* problem, const char* remedy) {
  throw cosimo::Error(
      cosimo::Fault{.field = field, .value = std::move(value), .problem = problem, .remedy = remedy});
}

/// Lists of nothing may be NULL.
template <class... Lists>
void need(size_t count, const Lists*... lists) {
  if (count > 0 && (... || (lists == nullptr)))
    refuse("list", "NULL", "there is no such list", "give one, or count 0");
}

template <class Load>
cosimo_simulation* create(const char* what, const char* const* settings, size_t count, int threads,
                          char* message, size_t size, Load&& load) noexcept {
  cosimo_simulation* made = nullptr;
  std::string why;
  guarded(why, [&] {
    if (!what) refuse("scenario", "NULL", "there is no scenario", "give the name of a file");
    if (threads < 0)
      refuse("threads", std::to_string(threads), "there is no such number of threads",
             "give 0 for all cores");
    need(count, settings);
    for (size_t i = 0; i < count; ++i)
      if (settings[i] == nullptr)
        refuse("settings", fmt::format("NULL at place {}", i), "there is no text", "write key=value");
    const std::vector<std::string> overrides(settings, settings + count);
    cosimo::RunOptions options;
    options.threads = threads;
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): guarded() catches it
    made = new cosimo_simulation{cosimo::Simulation(load(what, overrides), std::move(options))};
    return COSIMO_OK;
  });
  if (message && size > 0) {
    const size_t length = std::min(size - 1, why.size());
    std::memcpy(message, why.data(), length);
    message[length] = '\0';
  }
  return made;
}

/// The same for a simulation, which may be missing.
template <class Work>
int guarded(cosimo_simulation* simulation, Work&& work) noexcept {
  if (simulation == nullptr) return COSIMO_WRONG;
  return guarded(simulation->message, std::forward<Work>(work));
}

size_t checked(const cosimo_simulation& owner, size_t variable) {
  if (variable >= owner.simulation.variables().size())
    refuse("variable", std::to_string(variable), "there is no variable of this number",
           "cosimo_find() gives the number of a name");
  return variable;
}

}  // namespace

extern "C" {

const char* cosimo_version(void) {
  return cosimo::version().data();  // a literal, ended by 0
}

cosimo_simulation* cosimo_create(const char* file, const char* const* settings, size_t count, int threads,
                                 char* message, size_t size) {
  return create(file, settings, count, threads, message, size,
                [](const char* name, const std::vector<std::string>& overrides) {
                  return cosimo::Scenario::load(name, overrides);
                });
}

cosimo_simulation* cosimo_create_from_text(const char* text, const char* const* settings, size_t count,
                                           int threads, char* message, size_t size) {
  return create(text, settings, count, threads, message, size,
                [](const char* yaml, const std::vector<std::string>& overrides) {
                  return cosimo::Scenario::parse(yaml, "scenario", overrides);
                });
}

void cosimo_free(cosimo_simulation* simulation) {
  delete simulation;
}

const char* cosimo_message(const cosimo_simulation* simulation) {
  return simulation != nullptr ? simulation->message.c_str() : "there is no simulation";
}

double cosimo_time(const cosimo_simulation* simulation) {
  return simulation != nullptr ? simulation->simulation.time() : nowhere;
}

double cosimo_end(const cosimo_simulation* simulation) {
  return simulation != nullptr ? simulation->simulation.end() : nowhere;
}

int cosimo_advance(cosimo_simulation* simulation, double until) {
  return guarded(simulation, [&] {
    cosimo::Simulation::Outcome outcome = simulation->simulation.advance(until);
    if (outcome.ok) return COSIMO_OK;
    simulation->message = std::move(outcome.reason);
    return COSIMO_FAILED;
  });
}

size_t cosimo_variable_count(const cosimo_simulation* simulation) {
  return simulation != nullptr ? simulation->simulation.variables().size() : 0;
}

const char* cosimo_variable_name(const cosimo_simulation* simulation, size_t variable) {
  if (simulation == nullptr) return nullptr;
  const std::vector<std::string>& names = simulation->simulation.variables();
  return variable < names.size() ? names[variable].c_str() : nullptr;
}

int cosimo_find(cosimo_simulation* simulation, const char* name, size_t* variable) {
  return guarded(simulation, [&] {
    if (!name || !variable)
      refuse("variable", "NULL", "there is no name", "give one, and a place for its number");
    *variable = simulation->simulation.index(name);
    return COSIMO_OK;
  });
}

int cosimo_get(cosimo_simulation* simulation, const size_t* variables, size_t count, double* values) {
  return guarded(simulation, [&] {
    need(count, variables, values);
    for (size_t i = 0; i < count; ++i) checked(*simulation, variables[i]);
    for (size_t i = 0; i < count; ++i) values[i] = simulation->simulation.get(variables[i]);
    return COSIMO_OK;
  });
}

int cosimo_set(cosimo_simulation* simulation, const size_t* variables, size_t count, const double* values) {
  return guarded(simulation, [&] {
    need(count, variables, values);
    for (size_t i = 0; i < count; ++i) checked(*simulation, variables[i]);
    for (size_t i = 0; i < count; ++i) simulation->simulation.set(variables[i], values[i]);
    return COSIMO_OK;
  });
}

int cosimo_set_course(cosimo_simulation* simulation, size_t variable, const double* derivatives,
                      size_t count) {
  return guarded(simulation, [&] {
    need(count, derivatives);
    simulation->simulation.set_course(checked(*simulation, variable), {derivatives, count});
    return COSIMO_OK;
  });
}

cosimo_state* cosimo_save(cosimo_simulation* simulation) {
  cosimo_state* state = nullptr;
  guarded(simulation, [&] {
    state = new cosimo_state{simulation->simulation.save()};
    return COSIMO_OK;
  });
  return state;
}

int cosimo_restore(cosimo_simulation* simulation, const cosimo_state* state) {
  return guarded(simulation, [&] {
    if (!state) refuse("state", "NULL", "there is no state", "give one that cosimo_save() has made");
    simulation->simulation.restore(state->bytes);
    return COSIMO_OK;
  });
}

void cosimo_state_free(cosimo_state* state) {
  delete state;
}

const void* cosimo_state_bytes(const cosimo_state* state) {
  return state != nullptr ? state->bytes.data() : nullptr;
}

size_t cosimo_state_size(const cosimo_state* state) {
  return state != nullptr ? state->bytes.size() : 0;
}

cosimo_state* cosimo_state_of_bytes(const void* bytes, size_t size) {
  std::string message;
  cosimo_state* state = nullptr;
  guarded(message, [&] {
    need(size, bytes);
    const auto* const first = static_cast<const std::byte*>(bytes);
    state = new cosimo_state{{first, first + size}};
    return COSIMO_OK;
  });
  return state;
}

}  // extern "C"
