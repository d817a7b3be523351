// Work that may fail on one rank and not on another: all ranks learn how it ended.
//
//   auto assembly = together(exchange, [&] { return assemble(...); });
//
// When the operation throws Error or IoError on any rank, all ranks throw: that of the lowest rank that
// failed. Its message names the rank where it was not rank 0. Collective. The operation may talk to other
// ranks only as long as none can have thrown alone: what may fail on one rank before needs an agreement of
// its own.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "core/error.hpp"
#include "parallel/exchange.hpp"

namespace cosimo {

/// How an operation ended on one rank.
struct Ending {
  enum class Kind : int { ok, wrong_input, failed } kind = Kind::ok;
  std::string text;             ///< of the error
  std::vector<Fault> faults{};  ///< of wrong input
};

/// Throws on all ranks what happened on the lowest one that failed, as AgreedError or AgreedIoError.
void agree(Exchange& exchange, const Ending& here);

template <class Operation>
auto together(Exchange& exchange, Operation operation) {
  using Result = std::invoke_result_t<Operation>;
  Ending ending;
  const auto watch = [&](auto call) {
    try {
      call();
    } catch (const Error& error) {
      ending = {Ending::Kind::wrong_input, error.what(), error.faults()};
    } catch (const IoError& error) {
      ending = {Ending::Kind::failed, error.what(), {}};
    }
    agree(exchange, ending);
  };
  if constexpr (std::is_void_v<Result>) {
    watch(operation);
  } else {
    std::optional<Result> result;
    watch([&] { result.emplace(operation()); });
    return std::move(*result);
  }
}

}  // namespace cosimo
