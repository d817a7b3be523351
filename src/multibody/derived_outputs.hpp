// What the results of a run are computed from, where they are more than the coordinates of the recorded
// bodies: at every output time the producer of the model makes columns and tables of the state of all bodies.
//
//   const auto derived = derived_outputs(model, recorded);   // null: coordinates are the results
//   derived->evaluate(t, q, v);
//   derived->position(), derived->velocity(), derived->tables()
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "model/model.hpp"

namespace cosimo {

class MotionFiles;
class Team;

/// A force on a body that comes from outside the model, along a freedom.
struct Push {
  BodyId body;
  std::size_t freedom = 0;
};

class DerivedOutputs {
 public:
  struct Table {
    std::string name;
    std::vector<std::string> columns;
    std::vector<double> row;
  };

  virtual ~DerivedOutputs() = default;

  virtual const std::vector<std::string>& columns() const = 0;  ///< of position() and velocity()
  virtual const std::vector<std::int64_t>& labels() const = 0;  ///< of the body of every column
  virtual std::span<const Table> tables() const = 0;

  /// Coordinates of all bodies, in the order of the model, behind them what elements remember, and the forces
  /// from outside. `team`: threads that may share it; null: none.
  virtual void evaluate(double t, std::span<const double> q, std::span<const double> v,
                        Team* team = nullptr) = 0;
  /// A state between those that are evaluated, in the order of time: turns are counted there.
  virtual void follow(double t, std::span<const double> q, std::span<const double> v) = 0;
  /// What the next row depends on beside its state.
  virtual void archive(Archive& a) = 0;
  virtual std::span<const double> position() const = 0;
  virtual std::span<const double> velocity() const = 0;

  /// What bodies look like, for pictures (multibody/scene.hpp); empty: there is nothing to show.
  virtual std::string scene() const = 0;
  /// For ParaView. These outputs must outlive them. `keep`: frames that are there stay.
  virtual std::unique_ptr<MotionFiles> motion_files(const std::filesystem::path& folder,
                                                    std::span<const std::int32_t> part_of_body,
                                                    bool keep) const = 0;
};

/// `recorded` bodies are written; tables cover the whole model. `remembered`: what comes behind the
/// coordinates of a state, as places in the memory of all elements (model/model.hpp); `pushes`: what comes
/// behind that. Null for models that have nothing but their coordinates.
std::unique_ptr<DerivedOutputs> derived_outputs(const Model& model, std::vector<BodyId> recorded,
                                                std::vector<std::size_t> remembered = {},
                                                std::vector<Push> pushes = {});

}  // namespace cosimo
