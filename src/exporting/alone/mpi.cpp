// An FMU belongs to no job of several processes.
#include "parallel/mpi_exchange.hpp"

namespace cosimo {

std::unique_ptr<Exchange> join_cluster() {
  return nullptr;
}

}  // namespace cosimo
