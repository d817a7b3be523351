// What people look at in a run of a mechanism, computed from the state of all bodies at an output time:
// places of the bodies' reference points and orientations, angular velocities, energies, constraint
// residuals, joint reactions, element forces, each column with a name such as "chassis.x" or "strut 1
// left.Fz".
//
//   MechanismOutput output(model, recorded);
//   output.evaluate(t, q, v);          // coordinates of all bodies, in the order of the model, and memory
//   output.position(), output.velocity(), output.tables()
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "mechanics/dynamics.hpp"
#include "model/model.hpp"
#include "multibody/derived_outputs.hpp"
#include "multibody/point_outputs.hpp"

namespace cosimo {

class MechanismOutput final : public DerivedOutputs {
 public:
  /// As derived_outputs().
  MechanismOutput(const Model& model, std::vector<BodyId> recorded, std::vector<std::size_t> remembered = {},
                  std::vector<Push> pushes = {});
  ~MechanismOutput() override;

  const std::vector<std::string>& columns() const override { return columns_; }
  const std::vector<std::int64_t>& labels() const override { return labels_; }
  std::span<const Table> tables() const override { return tables_; }

  void evaluate(double t, std::span<const double> q, std::span<const double> v,
                Team* team = nullptr) override;
  std::span<const double> position() const override { return position_; }
  std::span<const double> velocity() const override { return velocity_; }
  void follow(double t, std::span<const double> q, std::span<const double> v) override;
  void archive(Archive& a) override;
  std::string scene() const override;
  std::unique_ptr<MotionFiles> motion_files(const std::filesystem::path& folder,
                                            std::span<const std::int32_t> part_of_body,
                                            bool keep) const override;

  /// Frames of all bodies at their centres of mass, efforts of all elements, at the state evaluated last: for
  /// pictures.
  const Mechanism& mechanism() const { return *mechanism_; }
  std::span<const Frame> centres() const { return centres_; }
  std::span<const Effort> efforts() const { return efforts_; }

 private:
  enum TableNumber : std::size_t { energy, constraints, angular_velocity, reactions, elements, joints };
  void name_columns(const std::vector<BodyId>& recorded);
  void name_tables();
  Remembered recall(std::span<const double> q, std::span<const double> v);
  void fill_bodies(std::span<const double> q, std::span<const double> v);
  void find_wrenches(std::span<const double> values);
  void fill_reactions(double t);
  void fill_elements(double t, std::span<const double> q, std::span<const double> v, const Remembered& y);
  void fill_joints(double t);
  void name_tyres();
  void fill_tyres(const Remembered& y);
  Frame frame_at(const Marker& marker) const;
  void fill_sensors(double t, std::span<const double> q, std::span<const double> v);

  std::shared_ptr<const Mechanism> mechanism_;
  std::vector<std::size_t> first_, remembered_;
  std::vector<Push> pushes_;
  std::vector<ExternalWrench> wrenches_;  ///< of the pushes
  std::vector<BodyId> recorded_;
  Dynamics dynamics_;
  Dynamics::WorkspacePtr work_;
  std::vector<double> memory_, z_rate_;  ///< first all z, then all s
  std::vector<std::string> columns_;
  std::vector<std::int64_t> labels_;
  std::vector<Table> tables_;
  std::vector<double> position_, velocity_, acceleration_, lambda_;
  std::vector<Frame> centres_;
  std::vector<Effort> efforts_;
  std::size_t readings_ = 0;  ///< of laws over many bodies, the last of the table of elements
  PointOutputs points_;
  std::vector<EffortMask> masks_;
  JointReadings joints_;
  SensorReadings sensors_;
  std::size_t sensor_table_ = 0;
  std::vector<std::size_t> tyres_;  ///< their elements
  std::vector<Vec6> alpha_;         ///< where sensors ask for it
};

}  // namespace cosimo
