#include "multibody/mechanism_output.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.hpp"
#include "mechanics/coordinate_names.hpp"
#include "multibody/motion_files.hpp"
#include "multibody/scene.hpp"
#include "results/recorder.hpp"
#include "tyre/tyre_element.hpp"

namespace cosimo {

namespace {

std::vector<BodyId> all_bodies(const Mechanism& mechanism) {
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) ids.push_back(BodyId(i));
  return ids;
}

std::vector<ElementId> all_elements(const Mechanism& mechanism) {
  std::vector<ElementId> ids;
  for (std::size_t i = 0; i < mechanism.elements.size(); ++i) ids.push_back(ElementId(i));
  return ids;
}

constexpr std::array<const char*, effort_size> effort_names{"Fx",      "Fy",    "Fz",    "Tx_from", "Ty_from",
                                                            "Tz_from", "Tx_to", "Ty_to", "Tz_to"};

/// Where users see a body: its reference point, with the velocity there.
Frame reference_frame(const Body& body, const Frame& centre) {
  return marker_frame(centre, {.body = BodyId(std::size_t{0}), .point = body.reference});
}

}  // namespace

MechanismOutput::MechanismOutput(const Model& model, std::vector<BodyId> recorded,
                                 std::vector<std::size_t> remembered, std::vector<Push> pushes)
    : mechanism_(model.mechanism),
      first_(mechanism_->coordinate_offsets()),
      remembered_(std::move(remembered)),
      pushes_(std::move(pushes)),
      recorded_(std::move(recorded)),
      dynamics_(*mechanism_, all_bodies(*mechanism_), all_elements(*mechanism_)),
      work_(dynamics_.make_workspace()),
      memory_(dynamics_.extent().z + dynamics_.extent().s),
      z_rate_(dynamics_.extent().z),
      acceleration_(dynamics_.size()),
      lambda_(dynamics_.constraints()),
      centres_(mechanism_->bodies.size()),
      efforts_(mechanism_->elements.size()),
      points_(*mechanism_, first_),
      joints_(mechanism_->joint_coordinates),
      sensors_(*mechanism_) {
  for (std::size_t e = 0; e < efforts_.size(); ++e)
    masks_.push_back(coupling_components(model, ElementId(e)));
  name_columns(recorded_);
  name_tables();
}

MechanismOutput::~MechanismOutput() = default;

std::unique_ptr<DerivedOutputs> derived_outputs(const Model& model, std::vector<BodyId> recorded,
                                                std::vector<std::size_t> remembered,
                                                std::vector<Push> pushes) {
  if (!model.mechanism) return nullptr;
  return std::make_unique<MechanismOutput>(model, std::move(recorded), std::move(remembered),
                                           std::move(pushes));
}

std::string MechanismOutput::scene() const {
  return scene_json(*mechanism_);
}

std::unique_ptr<MotionFiles> MechanismOutput::motion_files(const std::filesystem::path& folder,
                                                           std::span<const std::int32_t> part_of_body,
                                                           bool keep) const {
  return std::make_unique<MotionFiles>(folder, *this, part_of_body, keep);
}

void MechanismOutput::name_columns(const std::vector<BodyId>& recorded) {
  for (const BodyId id : recorded) {
    const Body& body = mechanism_->bodies[id.index()];
    for (const char* coordinate : coordinate_names(body.kind)) {
      columns_.push_back(body.name + "." + coordinate);
      labels_.push_back(id.label());
    }
  }
  position_.resize(columns_.size());
  velocity_.resize(columns_.size());
}

void MechanismOutput::name_tables() {
  tables_.resize(5);
  tables_[energy] = {"energy", {"kinetic", "potential", "total"}, {}};
  tables_[constraints] = {"constraints", {"position", "velocity"}, {}};
  tables_[angular_velocity].name = "angular_velocity";
  for (const Body& body : mechanism_->bodies)
    if (body.kind == BodyKind::rigid)
      for (const char* axis : {"wx", "wy", "wz"})
        tables_[angular_velocity].columns.push_back(body.name + "." + axis);
  tables_[reactions].name = "reactions";
  for (const auto& constraint : mechanism_->constraints)
    for (const char* component : {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"})
      tables_[reactions].columns.push_back(constraint->name + "." + component);
  tables_[elements].name = "elements";
  for (std::size_t e = 0; e < efforts_.size(); ++e)
    for (std::size_t k = 0; k < effort_size; ++k)
      if (masks_[e][k])
        tables_[elements].columns.push_back(mechanism_->elements[e]->name + "." + effort_names[k]);
  const std::size_t before = tables_[elements].columns.size();
  for (const auto& group : mechanism_->groups)
    for (const std::string& reading : group->readings())
      tables_[elements].columns.push_back(group->name + "." + reading);
  readings_ = tables_[elements].columns.size() - before;
  if (joints_.size() > 0) tables_.push_back({std::string(joints_table), joints_.columns(), {}});
  if (sensors_.size() > 0) {
    sensor_table_ = tables_.size();
    Table& table = tables_.emplace_back(Table{std::string(sensors_table), {}, {}});
    for (const Sensor& sensor : mechanism_->sensors) table.columns.push_back(sensor.name);
  }
  name_tyres();
  for (Table& table : tables_) table.row.resize(table.columns.size());
}

void MechanismOutput::name_tyres() {
  for (std::size_t e = 0; e < efforts_.size(); ++e)
    if (tyre::is_tyre(*mechanism_->elements[e])) tyres_.push_back(e);
  if (tyres_.empty()) return;
  Table& table = tables_.emplace_back(Table{"tyres", {}, {}});
  for (const std::size_t e : tyres_)
    for (const std::string_view reading : tyre::readings)
      table.columns.push_back(mechanism_->elements[e]->name + "." + std::string(reading));
}

void MechanismOutput::evaluate(double t, std::span<const double> q, std::span<const double> v, Team* team) {
  const std::size_t own = dynamics_.size() + remembered_.size();
  COSIMO_CHECK(q.size() == own + pushes_.size() && v.size() == q.size(),
               "coordinates of all bodies, what their elements remember, and forces from outside");
  const Remembered y = recall(q, v);
  fill_bodies(q, v);
  find_wrenches(q.subspan(own));
  points_.evaluate(q.data(), v.data(), team, efforts_);
  const double kinetic = dynamics_.kinetic_energy(q.data(), v.data());
  const std::optional<double> of_points = points_.potential_energy(q.data());
  const double potential = of_points ? *of_points : dynamics_.potential_energy(t, q.data(), y);
  tables_[energy].row = {kinetic, potential, kinetic + potential};
  const Dynamics::Residuals residuals = dynamics_.residuals(t, q.data(), v.data());
  tables_[constraints].row = {residuals.position, residuals.velocity};
  // Without constraints there is nothing to solve for; where accelerations are not finite, reactions are not
  // either.
  const bool needed = !lambda_.empty() || sensors_.asks_for_accelerations();
  if (needed && !dynamics_.acceleration(t, q.data(), v.data(), wrenches_, acceleration_.data(),
                                        lambda_.data(), *work_, y, z_rate_.data())) {
    std::fill(lambda_.begin(), lambda_.end(), std::numeric_limits<double>::quiet_NaN());
    std::fill(acceleration_.begin(), acceleration_.end(), std::numeric_limits<double>::quiet_NaN());
  }
  fill_reactions(t);
  fill_elements(t, q, v, y);
  fill_joints(t);
  if (sensors_.size() > 0) fill_sensors(t, q, v);
  fill_tyres(y);
}

/// Their table is the last one.
void MechanismOutput::fill_tyres(const Remembered& y) {
  double* out = tyres_.empty() ? nullptr : tables_.back().row.data();
  for (const std::size_t e : tyres_) {
    const ForceElement& element = *mechanism_->elements[e];
    tyre::take_readings(element, frame_at(element.at_from), frame_at(element.at_to),
                        dynamics_.of_element(e, y).z, out);
    out += tyre::readings.size();
  }
}

/// Turns that nobody counts are lost between rows.
void MechanismOutput::follow(double t, std::span<const double> q, std::span<const double> v) {
  if (!joints_.counts_turns()) return;
  for (std::size_t b = 0; b < centres_.size(); ++b) centres_[b] = dynamics_.frame(b, q.data(), v.data());
  joints_.evaluate(t, centres_);
}

void MechanismOutput::archive(Archive& a) {
  if (joints_.counts_turns()) joints_.archive(a);
}

void MechanismOutput::fill_sensors(double t, std::span<const double> q, std::span<const double> v) {
  if (sensors_.asks_for_accelerations()) {
    alpha_.resize(centres_.size());
    for (std::size_t b = 0; b < alpha_.size(); ++b) {
      const std::size_t first = first_[b];
      std::array<double, 6> rates{};
      const BodyKind kind = mechanism_->bodies[b].kind;
      twist_rates_of(kind, q.data() + first, v.data() + first, acceleration_.data() + first, rates.data());
      alpha_[b].setZero();
      const auto components = freedom_components(kind);
      for (std::size_t k = 0; k < components.size(); ++k)
        alpha_[b][static_cast<Eigen::Index>(components[k])] = rates[k];
    }
  }
  sensors_.evaluate({t, centres_, joints_.readings(), alpha_, efforts_, tables_[reactions].row,
                     std::span<const double>(tables_[elements].row).last(readings_)});
  const auto values = sensors_.values();
  std::copy(values.begin(), values.end(), tables_[sensor_table_].row.begin());
}

void MechanismOutput::fill_joints(double t) {
  if (joints_.size() == 0) return;
  joints_.evaluate(t, centres_);
  auto out = tables_[joints].row.begin();
  for (const JointReadings::Reading& reading : joints_.readings()) {
    *out++ = reading.value;
    *out++ = reading.rate;
  }
}

/// Elements at cuts and in copies remember nothing: for them every state is a beginning.
Remembered MechanismOutput::recall(std::span<const double> q, std::span<const double> v) {
  if (memory_.empty()) return {};
  double *const z = memory_.data(), *const s = z + dynamics_.extent().z;
  if (remembered_.size() < memory_.size()) dynamics_.begin(q.data(), v.data(), z, s);
  for (std::size_t k = 0; k < remembered_.size(); ++k) memory_[remembered_[k]] = q[dynamics_.size() + k];
  return {z, s};
}

void MechanismOutput::fill_bodies(std::span<const double> q, std::span<const double> v) {
  for (std::size_t b = 0; b < centres_.size(); ++b) centres_[b] = dynamics_.frame(b, q.data(), v.data());
  auto w = tables_[angular_velocity].row.begin();
  for (std::size_t b = 0; b < centres_.size(); ++b)
    if (mechanism_->bodies[b].kind == BodyKind::rigid) w = std::copy_n(centres_[b].w.data(), 3, w);
  std::size_t column = 0;
  for (const BodyId id : recorded_) {
    const Body& body = mechanism_->bodies[id.index()];
    const BodyKind kind = body.kind;
    const std::size_t n = coordinates_of(kind), first = first_[id.index()];
    std::copy_n(q.data() + first, n, position_.data() + column);
    std::copy_n(v.data() + first, n, velocity_.data() + column);
    const std::size_t places = kind == BodyKind::planar ? 2 : std::min<std::size_t>(n, 3);
    if (!body.reference.isZero(0)) {  // others are seen where their coordinates are
      const Frame seen = reference_frame(body, centres_[id.index()]);
      std::copy_n(seen.r.data(), places, position_.data() + column);
      std::copy_n(seen.v.data(), places, velocity_.data() + column);
    }
    column += n;
  }
}

void MechanismOutput::find_wrenches(std::span<const double> values) {
  wrenches_.clear();
  for (std::size_t k = 0; k < pushes_.size(); ++k) {
    const std::size_t body = pushes_[k].body.index();
    wrenches_.push_back(
        {body, wrench_along(pushes_[k].freedom, values[k], mechanism_->bodies[body], centres_[body])});
  }
}

void MechanismOutput::fill_reactions(double t) {
  const auto ids = dynamics_.constraint_ids();
  const auto rows = dynamics_.first_rows();
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const Constraint& constraint = *mechanism_->constraints[ids[k]];
    frames.clear();
    for (const BodyId body : constraint.bodies()) frames.push_back(centres_[body.index()]);
    const RowVector lambda = Eigen::Map<const Eigen::VectorXd>(lambda_.data() + rows[k],
                                                               static_cast<Eigen::Index>(constraint.rows()));
    Vec3 force, torque;
    constraint.reaction(t, frames, lambda, force, torque);
    auto out = tables_[reactions].row.begin() + static_cast<std::ptrdiff_t>(6 * ids[k]);
    out = std::copy_n(force.data(), 3, out);
    std::copy_n(torque.data(), 3, out);
  }
}

Frame MechanismOutput::frame_at(const Marker& marker) const {
  return marker_frame(marker.body == ground ? Frame{} : centres_[marker.body.index()], marker);
}

void MechanismOutput::fill_elements(double t, std::span<const double> q, std::span<const double> v,
                                    const Remembered& y) {
  auto out = tables_[elements].row.begin();
  for (std::size_t e = 0; e < efforts_.size(); ++e) {
    if (!points_.has(e)) {
      const ForceElement& element = *mechanism_->elements[e];
      const Remembered own = dynamics_.of_element(e, y);
      const Frame from = frame_at(element.at_from), to = frame_at(element.at_to);
      const bool ok = own.any() ? element.memory()->effort(t, from, to, own, efforts_[e], z_rate_.data())
                                : element.effort(t, from, to, efforts_[e]);
      if (!ok) efforts_[e].force.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    const std::array<const Vec3*, 3> parts{&efforts_[e].force, &efforts_[e].torque_from,
                                           &efforts_[e].torque_to};
    for (std::size_t k = 0; k < effort_size; ++k)
      if (masks_[e][k]) *out++ = (*parts[k / 3])[static_cast<Eigen::Index>(k % 3)];
  }
  if (readings_ > 0)
    dynamics_.read_groups(t, q.data(), v.data(), y, std::span(tables_[elements].row).last(readings_));
}

}  // namespace cosimo
