// An empty macro step with 100 subsystems on two threads against one rk step of 1000 masses.
//
// Empty: the subsystems do nothing and their coupling bodies stand still. Everything else is
// the real thing: prediction, approximation polynomials, hand-over to the threads, collected
// outputs, consistent update, error estimate, history and snapshots.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/timing.hpp"
#include "coupling/conditions.hpp"
#include "model/cut_laws.hpp"
#include "model/graphs.hpp"
#include "parallel/pool.hpp"
#include "scheme/explicit.hpp"
#include "scheme/lanes.hpp"

namespace cosimo::bench {

namespace {

class IdleLane final : public Lane {
 public:
  explicit IdleLane(double displacement) : state_{displacement, 0.0} {}
  StepResult advance(const Window& window, std::span<const Polynomial>, const Samples&, Response*) override {
    return {StepStatus::ok, window.end, {}};
  }
  bool accelerations(double, std::span<const double>, std::span<const PortState>,
                     std::span<double> a) const override {
    std::fill(a.begin(), a.end(), 0.0);
    return true;
  }
  void outputs(double, std::span<const double>, std::span<PortState> y) const override {
    for (PortState& s : y) s = state_;
  }
  std::span<const double> position() const override { return {}; }
  std::span<const double> velocity() const override { return {}; }
  std::unique_ptr<Snapshot> make_snapshot() const override { return std::make_unique<Snapshot>(); }
  void save(Snapshot&) const override {}
  void restore(const Snapshot&) override {}
  void archive(Archive&) override {}
  void set_state(double, std::span<const double>, std::span<const double>, std::span<const double>) override {
  }
  SolverStatus status() const override { return {}; }
  double work() const override { return 0; }

 private:
  PortState state_;
};

class IdleSubsystem final : public Component {
 public:
  IdleSubsystem(std::vector<Port> ports, double displacement)
      : ports_(std::move(ports)), displacement_(displacement) {
    for (const Port& port : ports_) inputs_.push_back(port.coupling.index());  // one force per cut
  }
  std::span<const Port> ports() const override { return ports_; }
  std::span<const std::size_t> inputs() const override { return inputs_; }
  bool cheap_snapshot() const override { return true; }
  std::unique_ptr<Lane> make_lane() const override { return std::make_unique<IdleLane>(displacement_); }

 private:
  std::vector<Port> ports_;
  std::vector<std::size_t> inputs_;
  double displacement_;
};

/// One idle subsystem per part, each displaced a little more than the last: constant forces in all cuts.
std::vector<std::unique_ptr<Component>> idle_subsystems(const Partition& partition) {
  std::vector<std::vector<Port>> ports(partition.parts.size());
  const auto& couplings = partition.interface.couplings;
  for (std::size_t c = 0; c < couplings.size(); ++c) {
    const CutEnd &from = couplings[c].from, &to = couplings[c].to;
    for (const auto& [end, side] : {std::pair(from, CutSide::from), std::pair(to, CutSide::to)}) {
      auto& own = ports[end.part.index()];
      own.push_back(
          {.coupling = CouplingId{c}, .side = side, .input = own.size(), .inputs = 1, .output = own.size()});
    }
  }
  std::vector<std::unique_ptr<Component>> all;
  for (std::size_t i = 0; i < ports.size(); ++i)
    all.push_back(std::make_unique<IdleSubsystem>(std::move(ports[i]), 1e-5 * static_cast<double>(i * i)));
  return all;
}

/// Attempts and accepts macro steps of the explicit scheme with exCV and quadratic prediction.
class EmptyRun {
 public:
  EmptyRun(std::size_t parts, int threads)
      : model_(table_5_9(10 * parts)),
        partition_(make_partition(model_, {static_cast<std::int64_t>(parts)})),
        conditions_(make_laws(model_, partition_.interface), partition_.interface),
        subsystems_(idle_subsystems(partition_)),
        recorded_(parts),
        pool_(threads),
        lanes_(subsystems_, recorded_, pool_, Beside::none, /*repeatable=*/true),
        scheme_(lanes_, conditions_, 0.0, options()) {
    for (int i = 0; i < 100; ++i) step();  // past the start: the history is full
  }

  /// Where the time of a step goes, in microseconds, as the scheme accounts for it; the rest is routing.
  std::string profile(int steps) {
    double solve = 0, snapshot = 0, interface = 0, transport = 0;
    for (int i = 0; i < steps; ++i) {
      step();
      const AttemptCost cost = scheme_.cost();
      solve += *std::max_element(cost.threads.begin(), cost.threads.end());
      snapshot += cost.snapshot;
      interface += cost.interface;
      transport += cost.transport;
    }
    const double scale = 1e6 / steps;
    return fmt::format(
        "of an empty macro step: predict, gather, update, estimate {:.1f} us, hand-over {:.1f} us, the empty "
        "tasks with their clocks {:.1f} us, snapshots {:.1f} us",
        scale * interface, scale * transport, scale * solve, scale * snapshot);
  }

  void step() {
    constexpr double H = 1e-6;
    const Candidate candidate = scheme_.attempt({{time_, time_ + H}, 2}, {});
    if (!candidate.ok) throw std::runtime_error(fmt::format("empty macro step: {}", candidate.reason));
    scheme_.accept();
    time_ += H;
  }

 private:
  static ClassicOptions options() {
    ClassicOptions o;
    o.estimator = Estimator::exCV;
    return o;
  }

  Model model_;
  Partition partition_;
  CouplingConditions conditions_;
  std::vector<std::unique_ptr<Component>> subsystems_;
  std::vector<Recorded> recorded_;
  Pool pool_;
  LaneSet lanes_;
  ExplicitScheme scheme_;
  double time_ = 0;
};

}  // namespace

void sync(const Options& options, Table& table) {
  constexpr std::size_t parts = 100;
  constexpr int repeat = 200;  // short bursts: some of them find both cores free
  const int threads = options.threads > 1 ? options.threads : 2;
  Underway rk(1000, Method::rk);
  EmptyRun run(parts, threads);
  Pool bare(threads);
  auto nothing = [](std::size_t) {};
  const auto mean = [](const auto& work) {
    return seconds([&] {
             for (int i = 0; i < repeat; ++i) work();
           }) /
           repeat;
  };
  const auto best =
      interleaved(options.quick ? 50 : 300,
                  {[&] { return rk.micro_step_seconds(); }, [&] { return mean([&] { run.step(); }); },
                   [&] { return mean([&] { bare.run(parts, nothing); }); }});
  table.add({"sync", fmt::format("empty macro step, {} subsystems, {} threads", parts, threads),
             "rk step of 1000 masses", 1e6 * best[0], 1e6 * best[1], "us", best[1] / best[0], Goal::at_most,
             1.0, "ours / step; explicit scheme, exCV, kappa 2, attempt and accept"});
  table.add({"sync", fmt::format("of it the bare pool, {} tasks, {} threads", parts, threads),
             "rk step of 1000 masses", 1e6 * best[0], 1e6 * best[2], "us", best[2] / best[0], Goal::none, 0,
             "ours / step"});
  table.remark(run.profile(repeat));
}

}  // namespace cosimo::bench
