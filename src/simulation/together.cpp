#include "simulation/together.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/archive.hpp"
#include "cosimo/cluster.hpp"

namespace cosimo {

namespace {

void archive(Archive& a, Fault& f) {
  a(f.file, f.line, f.column, f.field, f.value, f.problem, f.remedy);
}

void archive(Archive& a, Ending& e) {
  a(e.kind, e.text);
  std::size_t count = e.faults.size();
  a(count);
  e.faults.resize(count);
  for (Fault& fault : e.faults) archive(a, fault);
}

}  // namespace

void agree(Exchange& exchange, const Ending& here) {
  constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = here.kind == Ending::Kind::ok ? nobody : exchange.rank();
  exchange.min({&first, 1});
  if (first == nobody) return;
  Ending ending = here;
  std::string host = exchange.host();
  Archive out;
  archive(out, ending);
  out(host);
  Bytes bytes = out.take();
  exchange.broadcast(static_cast<int>(first), bytes);
  Archive in(bytes);
  archive(in, ending);
  in(host);
  const std::string machine = host.empty() ? "" : fmt::format(" ({})", host);
  const std::string where =
      first == 0 ? "" : fmt::format("rank {} of {}{}: ", first, exchange.ranks(), machine);
  if (ending.kind == Ending::Kind::failed) throw AgreedIoError(where + ending.text);
  for (Fault& fault : ending.faults) fault.problem = where + fault.problem;
  if (ending.faults.empty()) ending.faults.push_back(Fault{.problem = where + ending.text});
  throw AgreedError(ending.faults);
}

}  // namespace cosimo
