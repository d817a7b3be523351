#include "simulation/checkpoints.hpp"

#include <fmt/format.h>

#include "core/archive.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/seal.hpp"
#include "simulation/recording.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo {

namespace {

std::string part_name(std::size_t global) {
  return fmt::format("part {}", global + 1);
}

}  // namespace

std::uint64_t scenario_hash(const config::Scenario& scenario) {
  Digest digest;
  bool skipped = false;
  std::string_view text = scenario.effective;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.front() != ' ') skipped = line.starts_with("run:");
    if (!skipped) digest.add(line);
  }
  return digest.value();
}

ResultsPosition results_position(const CheckpointFile& file) {
  const Bytes bytes = file.blob("output");
  Archive in(bytes);
  ResultsPosition position;
  in(position);
  in.finish();
  return position;
}

Bytes Checkpoints::run_bytes(TimeLoop& loop) {
  Archive out;
  loop.archive(out);
  run_.control.archive(out);
  run_.scheme.archive(out);
  run_.recording.archive(out);
  return out.take();
}

/// What is known of every coupling of the whole, on rank 0.
Bytes Checkpoints::all_couplings() {
  const Assembly& a = run_.assembly;
  Exchange& exchange = *a.exchange;
  std::vector<std::pair<std::int32_t, Bytes>> own;
  for (std::size_t c = 0; c < a.local.couplings.size(); ++c) {
    const std::size_t global = a.local.couplings[c].index();
    const std::size_t from = a.interface.couplings[global].from.part.index();
    if (a.placement.rank_of_part[from] != exchange.rank()) continue;
    Archive out;
    run_.scheme.archive_coupling(out, c);
    own.emplace_back(a.local.couplings[c].value, out.take());
  }
  if (!exchange.leads()) {
    Archive out;
    out(own);
    exchange.send(0, out.take());
    return {};
  }
  std::vector<Bytes> all(a.interface.couplings.size());
  const auto take = [&](std::vector<std::pair<std::int32_t, Bytes>>& some) {
    for (auto& [number, bytes] : some) all[static_cast<std::size_t>(number)] = std::move(bytes);
  };
  take(own);
  for (int r = 1; r < exchange.ranks(); ++r) {
    const Bytes bytes = exchange.receive(r);
    Archive in(bytes);
    std::vector<std::pair<std::int32_t, Bytes>> theirs;
    in(theirs);
    take(theirs);
  }
  Archive out;
  out(all);
  return out.take();
}

Bytes Checkpoints::part_bytes(std::size_t part) {
  Archive out;
  run_.scheme.archive_part(out, part);
  return out.take();
}

void Checkpoints::write(TimeLoop& loop) {
  const Assembly& a = run_.assembly;
  Exchange& exchange = *a.exchange;
  // The results first: the checkpoint counts on what is on disk.
  run_.recording.settle();
  if (a.seam->any(!run_.lanes.rewind() || !run_.recording.failure().empty())) return;
  std::optional<CheckpointWriter> writer;
  const auto add = [&](std::string_view name, const Bytes& bytes) {
    run_.recording.guarded([&] {
      if (writer) writer->add(name, bytes);
    });
  };
  if (exchange.leads()) {
    run_.recording.guarded([&] {
      if (!folder_.empty()) writer.emplace(folder_, CheckpointInfo{loop.steps(), loop.time(), scenario_});
    });
    Archive out;
    ResultsPosition position = run_.recording.position();
    out(position);
    add("output", out.take());
  }
  add_all(loop, add);
  run_.recording.guarded([&] {
    if (writer) writer->commit();
  });
  run_.recording.checkpoint_written();
}

/// Everything that the run is to go on from, on rank 0, name by name.
void Checkpoints::add_all(TimeLoop& loop, const Add& add) {
  const Assembly& a = run_.assembly;
  Exchange& exchange = *a.exchange;
  const Bytes couplings = all_couplings();
  if (exchange.leads()) {
    add("run", run_bytes(loop));
    add("couplings", couplings);
  }
  for (std::size_t global = 0, own = 0; global < a.components(); ++global) {
    const int rank = a.placement.rank_of_part[global];
    const bool mine = rank == exchange.rank();
    Bytes bytes;
    if (mine) bytes = part_bytes(own++);
    if (mine && !exchange.leads()) exchange.send(0, std::move(bytes));
    if (!exchange.leads()) continue;
    add(part_name(global), mine ? bytes : exchange.receive(rank));
  }
}

Bytes Checkpoints::save(TimeLoop& loop) {
  if (run_.assembly.seam->any(!run_.lanes.rewind()))
    throw Error(Fault{.problem = "the state of the last macro point is lost", .remedy = "save it earlier"});
  std::vector<std::pair<std::string, Bytes>> all;
  add_all(loop, [&](std::string_view name, const Bytes& bytes) { all.emplace_back(name, bytes); });
  if (!run_.assembly.exchange->leads()) return {};
  Archive out;
  out(scenario_, all);
  return sealed(out.take());
}

Checkpoints::Blobs Checkpoints::blobs_of(const Bytes& bytes) const {
  Blobs all;
  std::uint64_t scenario = 0;
  try {
    Archive in(unsealed(bytes));
    in(scenario, all);
    in.finish();
  } catch (const ArchiveError&) {
    throw Error(Fault{.problem = "these bytes are not a saved state", .remedy = "restore what save() gave"});
  }
  if (scenario != scenario_)
    throw Error(Fault{.problem = "the state was saved by a simulation of another scenario",
                      .remedy = "restore it into a simulation of that scenario"});
  return all;
}

void Checkpoints::require(const Bytes& bytes) const {
  (void)blobs_of(bytes);
}

void Checkpoints::load(const Bytes& bytes, TimeLoop& loop) {
  Blobs all;
  if (run_.assembly.exchange->leads()) all = blobs_of(bytes);
  take_all(loop, [&](std::string_view name) {
    for (auto& [own, blob] : all)
      if (own == name) return std::move(blob);
    throw ArchiveError("the saved state is not complete");
  });
}

void Checkpoints::load_couplings(const Bytes& bytes) {
  const Assembly& a = run_.assembly;
  Archive in(bytes);
  std::vector<Bytes> all;
  in(all);
  in.finish();
  for (std::size_t c = 0; c < a.local.couplings.size(); ++c) {
    Archive one(all.at(a.local.couplings[c].index()));
    run_.scheme.archive_coupling(one, c);
    one.finish();
  }
}

void Checkpoints::read(const CheckpointFile* file, TimeLoop& loop) {
  take_all(loop, [&](std::string_view name) { return file->blob(name); });
}

void Checkpoints::take_all(TimeLoop& loop, const Blob& blob) {
  const Assembly& a = run_.assembly;
  Exchange& exchange = *a.exchange;
  const auto told_to_all = [&](std::string_view name) {
    Bytes bytes;
    if (exchange.leads()) bytes = blob(name);
    exchange.broadcast(0, bytes);
    return bytes;
  };
  {
    const Bytes bytes = told_to_all("run");
    Archive in(bytes);
    loop.archive(in);
    run_.control.archive(in);
    run_.scheme.archive(in);
    run_.recording.archive(in);
    in.finish();
  }
  load_couplings(told_to_all("couplings"));
  for (std::size_t global = 0, own = 0; global < a.components(); ++global) {
    const int rank = a.placement.rank_of_part[global];
    Bytes bytes;
    if (exchange.leads()) bytes = blob(part_name(global));
    if (exchange.leads() && rank != 0) exchange.send(rank, std::move(bytes));
    if (rank != exchange.rank()) continue;
    if (!exchange.leads()) bytes = exchange.receive(0);
    Archive in(bytes);
    run_.scheme.archive_part(in, own++);
    in.finish();
  }
  run_.scheme.resume();
}

}  // namespace cosimo
