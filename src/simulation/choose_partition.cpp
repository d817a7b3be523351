#include "simulation/choose_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/counted.hpp"
#include "parallel/shares.hpp"
#include "partition/cut_cost.hpp"
#include "partition/partition.hpp"
#include "simulation/choose_scheme.hpp"

namespace cosimo {

namespace {

/// The least by which cutting must lessen the counted work: counts are no clocks.
constexpr double least_gain = 2;

/// Threads that a cut model must not be slower on than a whole one.
constexpr std::size_t many_threads = 16;

/// Every further try has so many times fewer parts.
constexpr std::size_t fewer = 4;

struct Work {
  double total = 0, largest = 0;
};

/// Of parts that each take the steps of their fastest body.
Work count_work(const Partition& partition, std::span<const BodyCost> body) {
  Work work;
  for (const Part& part : partition.parts) {
    double freedoms = 0, steps = 0;
    for (const BodyId b : part.bodies) {
      freedoms += body[b.index()].freedoms;
      steps = std::max(steps, body[b.index()].steps);
    }
    work.total += freedoms * steps;
    work.largest = std::max(work.largest, freedoms * steps);
  }
  return work;
}

bool pays(double whole, const Work& cut, double overhead, std::size_t coordinates) {
  const auto team =
      static_cast<double>(std::clamp<std::size_t>(coordinates / worth_a_thread, 1, many_threads));
  const double on_many = std::max(cut.largest, cut.total * overhead / team);
  return whole >= least_gain * overhead * cut.total && whole >= team * on_many;
}

/// Nothing in the scenario asks for cuts other than overlaps.
bool may_overlap(const config::Scenario& s) {
  if (s.couple.decomposition && s.couple.decomposition != Decomposition::overlap) return false;
  return s.connections.empty() && s.subsystems.empty() && s.solve.method != Method::ida;
}

PartitionChoice whole(const std::string& why) {
  return {{}, "partition: auto -> whole: " + why};
}

}  // namespace

std::string describe_parts(const char* key, std::size_t parts, std::size_t bodies) {
  return fmt::format("{}: auto -> {} of about {}", key, counted(static_cast<std::int64_t>(parts), "part"),
                     counted(static_cast<std::int64_t>(bodies / parts), "body"));
}

PartitionChoice choose_partition(const config::Scenario& scenario, const Model& model,
                                 const BodyGraph& graph) {
  const std::vector<BodyCost> body = measure_bodies(graph).body;
  double freedoms = 0, fastest = 0, apart = 0;
  for (const BodyCost& b : body) {
    freedoms += b.freedoms;
    fastest = std::max(fastest, b.steps);
    apart += b.freedoms * b.steps;
  }
  const double together = freedoms * fastest;
  if (!(together >= least_gain * apart)) return whole("no region needs far shorter steps than the rest");
  if (!may_overlap(scenario)) return whole("what the file says of cuts does not go with overlaps");
  const std::string none =
      fmt::format("some bodies need {:.0f} times the steps of most, but no cuts pay", fastest);
  Partition found = make_partition(graph, {.parts = 0, .method = CutMethod::automatic});
  while (found.parts.size() > 1) {
    const SchemeChoice choice = choose_scheme(scenario, model, graph, found);
    const Work cut = count_work(found, body);
    if (choice.kind == SchemeChoice::Kind::overlap &&
        pays(together, cut, choice.overhead, model.coordinate_count())) {
      const double left = choice.overhead * cut.total / together;
      std::string reason =
          fmt::format("{}: with their own steps they save {:.0f} % of the work",
                      describe_parts("partition", found.parts.size(), body.size()), 100 * (1 - left));
      return {std::move(found), std::move(reason)};
    }
    const std::size_t next = found.parts.size() / fewer;
    if (next < 2) break;
    found = make_partition(graph, {.parts = static_cast<std::int64_t>(next), .method = CutMethod::automatic});
  }
  return whole(none);
}

}  // namespace cosimo
