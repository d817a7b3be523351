// How the ranks of a run record together: what each knows of a row travels to rank 0.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/archive.hpp"
#include "numerics/exact_sum.hpp"
#include "simulation/recording.hpp"

namespace cosimo {

namespace {

/// The coupling variables that count on this rank: their places here and in the whole.
struct VariableShare {
  std::vector<std::size_t> variables, columns;
};

VariableShare variable_share(const Assembly& a) {
  const CouplingVariables whole(a.interface), &here = a.conditions->variables();
  std::vector<std::size_t> first(a.layout.couplings, whole.size());  // variable of every coupling
  for (std::size_t i = whole.size(); i-- > 0;) first[whole[i].coupling.index()] = i;
  VariableShare share;
  for (std::size_t i = 0, k = 0; i < here.size(); ++i) {
    const CouplingId coupling = here[i].coupling;
    k = i > 0 && here[i - 1].coupling == coupling ? k + 1 : 0;
    const std::size_t global = a.seam->global(coupling).index();
    const std::size_t from = a.interface.couplings[global].from.part.index();
    if (a.placement.rank_of_part[from] != a.exchange->rank()) continue;
    share.variables.push_back(i);
    share.columns.push_back(first[global] + k);
  }
  return share;
}

void archive_rank(Archive& a, RankReport& r) {
  a(r.host, r.threads, r.subsystems, r.memory_mb);
  a(r.time.solve, r.time.idle, r.time.snapshot, r.time.interface, r.time.transport, r.time.output);
  std::size_t sections = r.sections.size();
  a(sections);
  r.sections.resize(sections);
  for (SectionReport& s : r.sections) a(s.name, s.meaning, s.work, s.waiting);
}

/// Members of a team share `integrate`: the clock of the run knows their leader only. `whole`: that is the
/// first thread, and there is no other team.
void divide_among(const Team& team, bool whole, std::vector<SectionReport>& sections) {
  std::vector<double> worked = team.worked();
  worked.resize(static_cast<std::size_t>(team.largest()));
  for (std::size_t s = 0; s < sections.size(); ++s) {
    SectionReport& section = sections[s];
    const double elapsed = section.work[0] + section.waiting[0];
    const bool shared = s == index(Section::integrate);
    const double longest = *std::max_element(worked.begin(), worked.end());
    if (shared && whole) section.waiting[0] += std::clamp(longest - worked[0], 0.0, section.work[0]);
    section.work[0] = elapsed - section.waiting[0];
    for (std::size_t k = 1; k < worked.size(); ++k) {
      section.work.push_back(shared ? std::min(worked[k], elapsed) : 0);
      section.waiting.push_back(elapsed - section.work.back());
    }
  }
}

std::vector<SectionReport> section_reports(const SectionClock& clock,
                                           std::span<const std::unique_ptr<Team>> teams) {
  std::vector<SectionReport> sections;
  for (std::size_t s = 0; s < section_texts.size(); ++s) {
    const auto work = clock.work(Section(s)), waiting = clock.waiting(Section(s));
    sections.push_back({std::string(section_texts[s].name),
                        std::string(section_texts[s].meaning),
                        {work.begin(), work.end()},
                        {waiting.begin(), waiting.end()}});
  }
  for (const auto& team : teams)
    if (team->meetings() > 0) divide_among(*team, teams.size() == 1, sections);
  return sections;
}

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

void Recording::prepare_ranks() {
  const VariableShare share = variable_share(assembly_);
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < assembly_.local.own_parts; ++i)
    parts.push_back(assembly_.local.parts[i].index());
  Exchange& exchange = *assembly_.exchange;
  on_the_way_.reset(new OnTheWay{
      RowGather(exchange, assembly_.own_columns, assembly_.collected.size(), 2, !derived_),
      RowGather(exchange, share.columns, std::max<std::size_t>(1, assembly_.layout.variables), 1, false),
      RowGather(exchange, parts, assembly_.components(), 2, false),
      {},
      {},
      {},
      {},
      {},
      share.variables,
      std::vector<double>(share.variables.size())});
}

/// Everything gathered goes to rank 0 and into the file.
void Recording::drain() {
  if (single()) return;
  const double before = assembly_.exchange->seconds();
  OnTheWay& o = *on_the_way_;
  const std::size_t columns = assembly_.collected.size();
  const std::size_t outputs = assembly_.outputs.size();
  o.motion.drain(
      [&](std::size_t row, std::size_t first, std::span<const double> q, std::span<const double> v) {
        if (q.size() == columns)
          write_row(o.times[row], q, v);
        else
          write_block(o.times[row], first, q, v);
        if (outputs > 0 && first + q.size() == columns)
          write_outputs(std::span(o.outputs).subspan(row * outputs, outputs));
      });
  o.coupling.drain([&](std::size_t, std::size_t, std::span<const double> u, std::span<const double>) {
    guarded([&] {
      if (writer_ && assembly_.layout.variables > 0) writer_->coupling(u);
    });
  });
  o.solve.drain([&](std::size_t row, std::size_t, std::span<const double> seconds,
                    std::span<const double> micro_steps) {
    timing_.step(o.steps[row].t, seconds, micro_steps);
    add_waiting(seconds);
  });
  assembly_.exchange->max(o.busiest);
  for (const double work : o.busiest) critical_ += work;
  if (coupled_) drain_steps();
  o.times.clear();
  o.outputs.clear();
  o.steps.clear();
  o.busiest.clear();
  o.worst.clear();
  drain_exchange_ += assembly_.exchange->seconds() - before;
}

/// Every rank knows the worst of its own cuts; of cuts with equal errors the first counts.
void Recording::drain_steps() {
  OnTheWay& o = *on_the_way_;
  std::vector<double> largest, first;
  for (const WorstCut& worst : o.worst) largest.push_back(worst.error);
  assembly_.exchange->max(largest);
  for (std::size_t i = 0; i < o.worst.size(); ++i)
    first.push_back(o.worst[i].error == largest[i] && o.worst[i].cut >= 0
                        ? -static_cast<double>(o.worst[i].cut)
                        : -std::numeric_limits<double>::infinity());
  assembly_.exchange->max(first);
  for (std::size_t i = 0; i < o.steps.size(); ++i) {
    StepRow& row = o.steps[i];
    if (row.accepted && row.worst < 0 && std::isfinite(first[i]))
      row.worst = static_cast<std::int32_t>(-first[i]);
    write_step(row);
  }
}

void Recording::drain_if_full() {
  const OnTheWay& o = *on_the_way_;
  if (o.motion.full() || o.coupling.full() || o.solve.full()) drain();
}

/// Of the couplings of this rank the first one with the largest error above zero.
Recording::WorstCut Recording::worst_cut(const PointView& point) const {
  WorstCut worst;
  for (std::size_t i = 0; i < point.cut_errors.size(); ++i) {
    const double error = point.cut_errors[i];
    if (!(error > 0 && error >= worst.error)) continue;
    const std::int32_t cut = assembly_.seam->global(CouplingId{i}).value;
    if (error > worst.error || cut < worst.cut) worst = {error, cut};
  }
  return worst;
}

/// What only all ranks together know of a step.
void Recording::gather_step(const StepRow& row, const PointView& point, const AttemptCost& cost) {
  const double busiest = cost.work.empty() ? 0 : *std::max_element(cost.work.begin(), cost.work.end());
  if (single()) {
    critical_ += busiest;
    timing_.step(row.t, cost.solve, cost.micro_steps);
    add_waiting(cost.solve);
    if (!coupled_) return;
    StepRow told = row;
    if (row.accepted && row.worst < 0) told.worst = worst_cut(point).cut;
    write_step(told);
    guarded([&] {
      if (writer_ && row.accepted) writer_->coupling(point.u);
    });
    return;
  }
  OnTheWay& o = *on_the_way_;
  o.busiest.push_back(busiest);
  o.steps.push_back(row);
  o.worst.push_back(worst_cut(point));
  o.solve.push(cost.solve, cost.micro_steps);
  if (coupled_ && row.accepted) {
    for (std::size_t k = 0; k < o.variables.size(); ++k) o.own_variables[k] = point.u[o.variables[k]];
    o.coupling.push(o.own_variables);
  }
  drain_if_full();
}

std::vector<TraceBuffer> Recording::collect_traces() {
  std::vector<TraceBuffer> all;
  if (!trace_) return all;
  Exchange& exchange = *assembly_.exchange;
  if (!exchange.leads()) {
    Archive out;
    out(*trace_);
    exchange.send(0, out.take());
    return all;
  }
  all.push_back(std::move(*trace_));
  for (int r = 1; r < exchange.ranks(); ++r) {
    const Bytes bytes = exchange.receive(r);
    Archive in(bytes);
    in(all.emplace_back());
  }
  return all;
}

/// Every rank knows its own cuts; afterwards all know all.
void Recording::merge_cuts() {
  joint_total_ = total_;
  if (single()) return;
  Exchange& exchange = *assembly_.exchange;
  ExactSum work;
  work.add(total_);
  exchange.sum(work.words());
  joint_total_ = work.value();
  exchange.max(cut_error_);
  exchange.max(solve_total_);
  exchange.max(peaks_);
  std::vector<double> seen;
  for (std::size_t i = 0; i < cuts_.size(); ++i)
    seen.insert(seen.end(), {static_cast<double>(cut_layers_[i]), cuts_[i].dx2, cuts_[i].dv2,
                             static_cast<double>(cuts_[i].points)});
  exchange.max(seen);
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    cut_layers_[i] = static_cast<std::int32_t>(seen[4 * i]);
    cuts_[i].dx2 = seen[4 * i + 1];
    cuts_[i].dv2 = seen[4 * i + 2];
    cuts_[i].points = static_cast<std::int64_t>(seen[4 * i + 3]);
  }
}

RankReport Recording::own_report(int threads) const {
  RankReport report;
  report.host = assembly_.exchange->host();
  report.threads = threads;
  report.subsystems = static_cast<std::int64_t>(assembly_.subsystems.size());
  report.memory_mb = peak_memory_mb();
  // (4.5) with threads in the place of subsystems: the same when every subsystem has its own.
  const double busiest =
      thread_total_.empty() ? 0 : *std::max_element(thread_total_.begin(), thread_total_.end());
  report.time.solve = busiest;
  report.time.idle = std::max(0.0, thread_critical_ - busiest);
  report.time.snapshot = snapshot_;
  report.time.interface = interface_;
  report.time.transport = transport_ + assembly_.exchange->seconds() - drain_exchange_;
  report.time.output = output_seconds_;
  if (sections_ != nullptr) report.sections = section_reports(*sections_, assembly_.teams);
  return report;
}

void Recording::collect(int threads) {
  Exchange& exchange = *assembly_.exchange;
  RankReport own = own_report(threads);
  merge_cuts();
  if (!exchange.leads()) {
    Archive out;
    archive_rank(out, own);
    exchange.send(0, out.take());
    return;
  }
  ranks_.push_back(own);
  for (int r = 1; r < exchange.ranks(); ++r) {
    const Bytes bytes = exchange.receive(r);
    Archive in(bytes);
    archive_rank(in, ranks_.emplace_back());
  }
  const std::vector<SectionReport> sections = all_sections();
  SectionTimes times;
  for (std::size_t r = 0; r < ranks_.size(); ++r)
    if (!sections.empty())
      times.rank.insert(times.rank.end(), ranks_[r].sections.front().work.size(),
                        static_cast<std::int64_t>(r));
  for (const SectionReport& s : sections) {
    times.names.push_back(s.name);
    times.work.insert(times.work.end(), s.work.begin(), s.work.end());
    times.waiting.insert(times.waiting.end(), s.waiting.begin(), s.waiting.end());
  }
  timing_.use(std::move(times));
}

/// Of all threads, rank after rank.
std::vector<SectionReport> Recording::all_sections() const {
  std::vector<SectionReport> all;
  for (const RankReport& rank : ranks_)
    for (std::size_t s = 0; s < rank.sections.size(); ++s) {
      const SectionReport& own = rank.sections[s];
      if (all.size() <= s) all.push_back({own.name, own.meaning, {}, {}});
      all[s].work.insert(all[s].work.end(), own.work.begin(), own.work.end());
      all[s].waiting.insert(all[s].waiting.end(), own.waiting.begin(), own.waiting.end());
    }
  return all;
}

}  // namespace cosimo
