// One run on several processes (docs/cluster.md).
//
//   cosimo::Cluster cluster = cosimo::Cluster::join();            mpirun started us, or we are alone
//   auto scenario = cluster.load("model.yaml");                   all ranks read it and agree
//   auto report = cosimo::run(scenario, {.output_dir = "model.out", .cluster = &cluster});
//   if (cluster.leads()) std::puts(cosimo::to_table(report).c_str());
//
// Every rank makes the same calls. Rank 0 writes; its report is the full one, the others know how the run
// ended.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cosimo/cosimo.hpp"

namespace cosimo {

class Exchange;

/// Errors that all ranks have found together and throw alike. Any other error among several ranks is one that
/// the others do not know of: end them with Cluster::abort().
class AgreedError : public Error {
 public:
  using Error::Error;
};
class AgreedIoError : public IoError {
 public:
  using IoError::IoError;
};

class Cluster {
 public:
  /// This process as one of those that mpirun or a scheduler started together, or on its own. Once per
  /// process, and before threads are started; MPI lives as long as the object. Throws Error when several were
  /// started that cannot find each other.
  static Cluster join();
  ~Cluster();
  Cluster(Cluster&&) noexcept;
  Cluster& operator=(Cluster&&) noexcept;

  int rank() const;
  int ranks() const;
  bool leads() const { return rank() == 0; }

  /// Scenario::load() on all ranks. When one cannot read the file, or reads another text than the rest, all
  /// throw the same Error, which names the rank.
  Scenario load(const std::filesystem::path& file, std::span<const std::string> overrides = {});
  /// Scenario::parse() on all ranks of the text that rank 0 gives.
  Scenario parse(std::string_view text, std::string_view name, std::span<const std::string> overrides = {});

  /// Ends all ranks at once, for errors that the others do not know of. Returns where there are no others.
  void abort(int code);

  Exchange& exchange();

 private:
  explicit Cluster(std::unique_ptr<Exchange> exchange);
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace cosimo
