#include "cosimo/cluster.hpp"

#include <fmt/format.h>

#include "config/scenario.hpp"
#include "core/archive.hpp"
#include "core/digest.hpp"
#include "parallel/mpi_exchange.hpp"
#include "simulation/together.hpp"

namespace cosimo {

Cluster::Cluster(std::unique_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
Cluster::~Cluster() = default;
Cluster::Cluster(Cluster&&) noexcept = default;
Cluster& Cluster::operator=(Cluster&&) noexcept = default;

Cluster Cluster::join() {
  auto exchange = join_cluster();
  return Cluster(exchange ? std::move(exchange) : alone());
}

int Cluster::rank() const {
  return exchange_->rank();
}

int Cluster::ranks() const {
  return exchange_->ranks();
}

void Cluster::abort(int code) {
  exchange_->abort(code);
}

Exchange& Cluster::exchange() {
  return *exchange_;
}

Scenario Cluster::load(const std::filesystem::path& file, std::span<const std::string> overrides) {
  Scenario scenario = together(*exchange_, [&] { return Scenario::load(file, overrides); });
  // What rank 0 has read is what all must have read: file, included files and settings.
  const std::uint64_t own = digest(scenario.data().effective);
  Bytes bytes;
  Archive out;
  out(own);
  bytes = out.take();
  exchange_->broadcast(0, bytes);
  Archive in(bytes);
  std::uint64_t first = 0;
  in(first);
  together(*exchange_, [&] {
    if (own != first)
      throw Error(Fault{.file = file.string(),
                        .problem =
                            "reads another text than rank 0: there are different versions of the file, or of "
                            "one that it includes",
                        .remedy = "give all hosts the same files, for instance on a shared disk"});
  });
  return scenario;
}

Scenario Cluster::parse(std::string_view text, std::string_view name,
                        std::span<const std::string> overrides) {
  std::string shared(text);
  Archive out;
  out(shared);
  Bytes bytes = out.take();
  exchange_->broadcast(0, bytes);
  Archive in(bytes);
  in(shared);
  return together(*exchange_, [&] { return Scenario::parse(shared, name, overrides); });
}

}  // namespace cosimo
