// Settings that only the scenario file and the run know, with their words; others are in core/settings.hpp.
#pragma once

#include "core/choices.hpp"
#include "core/settings.hpp"

namespace cosimo::config {

/// Bodies that are recorded.
enum class Record { all, coupling, list };
constexpr auto words_of(Record) {
  return wording<Record>({{Record::all, "all"}, {Record::coupling, "coupling"}});
}

/// Subsystems advance all at once, or one after the other with the newest values.
enum class Sweep { jacobi, gauss_seidel };
constexpr auto words_of(Sweep) {
  return wording<Sweep>({{Sweep::jacobi, "jacobi"}, {Sweep::gauss_seidel, "gauss-seidel"}});
}

/// Of what was predicted, at macro points.
enum class Update { consistent, none };
constexpr auto words_of(Update) {
  return wording<Update>({{Update::consistent, "consistent"}, {Update::none, "none"}});
}

/// The side of a force/displacement cut that is driven by the other's motion: the body with the lower or the
/// higher number, or by the masses.
enum class Displaced { first, second, lighter, heavier };
constexpr auto words_of(Displaced) {
  return wording<Displaced>({{Displaced::first, "first"},
                             {Displaced::second, "second"},
                             {Displaced::lighter, "lighter"},
                             {Displaced::heavier, "heavier"}});
}

enum class Predictor { extrapolation, least_squares, acc, accrel };
constexpr auto words_of(Predictor) {
  return wording<Predictor>({{Predictor::extrapolation, "extrapolation"},
                             {Predictor::least_squares, "least-squares"},
                             {Predictor::acc, "acc"},
                             {Predictor::accrel, "accrel"}});
}

/// What the integrated accelerations of `acc` drive the subsystems by.
enum class Course { end, whole };
constexpr auto words_of(Course) {
  return wording<Course>({{Course::end, "end"}, {Course::whole, "whole"}});
}

/// When an interface Jacobian is computed anew: when it converges badly, or in every iteration.
enum class Refresh { automatic, always };
constexpr auto words_of(Refresh) {
  return wording<Refresh>({{Refresh::automatic, "auto"}, {Refresh::always, "always"}});
}

/// The line that tells how far a run is; automatic: on a terminal.
enum class Progress { automatic, on, off };
constexpr auto words_of(Progress) {
  return wording<Progress>({{Progress::automatic, "auto"}, {Progress::on, "on"}, {Progress::off, "off"}});
}

/// Key of `model` that describes it.
enum class ModelKind { chain, bodies, pendulum, lattice, network, four_bars, vehicle };
constexpr auto words_of(ModelKind) {
  return wording<ModelKind>({{ModelKind::chain, "chain"},
                             {ModelKind::bodies, "bodies"},
                             {ModelKind::pendulum, "pendulum"},
                             {ModelKind::lattice, "lattice"},
                             {ModelKind::network, "network"},
                             {ModelKind::four_bars, "four_bars"},
                             {ModelKind::vehicle, "vehicle"}});
}

enum class LoadKind { harmonic, contact, impulse, powersine, curve };
constexpr auto words_of(LoadKind) {
  return wording<LoadKind>({{LoadKind::harmonic, "harmonic"},
                            {LoadKind::contact, "contact"},
                            {LoadKind::impulse, "impulse"},
                            {LoadKind::powersine, "powersine"},
                            {LoadKind::curve, "curve"}});
}

enum class BodyKind { rigid, planar, point };
constexpr auto words_of(BodyKind) {
  return wording<BodyKind>(
      {{BodyKind::rigid, "rigid"}, {BodyKind::planar, "planar"}, {BodyKind::point, "point"}});
}

enum class JointKind {
  revolute,
  prismatic,
  cylindrical,
  universal,
  spherical,
  planar,
  fixed,
  distance,
  motor,
  gear
};
constexpr auto words_of(JointKind) {
  return wording<JointKind>({{JointKind::revolute, "revolute"},
                             {JointKind::prismatic, "prismatic"},
                             {JointKind::cylindrical, "cylindrical"},
                             {JointKind::universal, "universal"},
                             {JointKind::spherical, "spherical"},
                             {JointKind::planar, "planar"},
                             {JointKind::fixed, "fixed"},
                             {JointKind::distance, "distance"},
                             {JointKind::motor, "motor"},
                             {JointKind::gear, "gear"}});
}

enum class ElementKind {
  spring,
  torsion,
  bushing,
  contact,
  friction,
  stop,
  gear_mesh,
  cylinder,
  tyre,
  table,
  law,
  applied,
  user
};
constexpr auto words_of(ElementKind) {
  return wording<ElementKind>({{ElementKind::spring, "spring"},
                               {ElementKind::torsion, "torsion"},
                               {ElementKind::bushing, "bushing"},
                               {ElementKind::contact, "contact"},
                               {ElementKind::friction, "friction"},
                               {ElementKind::stop, "stop"},
                               {ElementKind::gear_mesh, "gear_mesh"},
                               {ElementKind::cylinder, "cylinder"},
                               {ElementKind::tyre, "tyre"},
                               {ElementKind::table, "table"},
                               {ElementKind::law, "law"},
                               {ElementKind::applied, "applied"},
                               {ElementKind::user, "user"}});
}

/// How the patch of a tyre grips.
enum class TyreModel { brush, pacejka };
constexpr auto words_of(TyreModel) {
  return wording<TyreModel>({{TyreModel::brush, "brush"}, {TyreModel::pacejka, "pacejka"}});
}

/// What a component beside the mechanical model is.
enum class SubsystemKind { pid, lag, fmu, input };
constexpr auto words_of(SubsystemKind) {
  return wording<SubsystemKind>({{SubsystemKind::pid, "pid"},
                                 {SubsystemKind::lag, "lag"},
                                 {SubsystemKind::fmu, "fmu"},
                                 {SubsystemKind::input, "input"}});
}

/// Who solves the equations of an FMU: itself, or our integrators.
enum class FmuInterface { cosimulation, model_exchange };
constexpr auto words_of(FmuInterface) {
  return wording<FmuInterface>(
      {{FmuInterface::cosimulation, "co-simulation"}, {FmuInterface::model_exchange, "model-exchange"}});
}

/// Of a spring: its damper acts on the change of length, or on the whole relative velocity.
enum class Damping { line, vector };
constexpr auto words_of(Damping) {
  return wording<Damping>({{Damping::line, "line"}, {Damping::vector, "vector"}});
}

/// What laws of one number act on.
enum class Measure { length, displacement, angle };
constexpr auto words_of(Measure) {
  return wording<Measure>(
      {{Measure::length, "length"}, {Measure::displacement, "displacement"}, {Measure::angle, "angle"}});
}

/// How a rope goes around a pulley, seen against its axis.
enum class Around { counterclockwise, clockwise };
constexpr auto words_of(Around) {
  return wording<Around>({{Around::counterclockwise, "counterclockwise"}, {Around::clockwise, "clockwise"}});
}

/// What is measured on a mechanism.
enum class SensorKind {
  distance,
  position,
  angle,
  displacement,
  speed,
  acceleration,
  force,
  torque,
  power,
  formula
};
constexpr auto words_of(SensorKind) {
  return wording<SensorKind>({{SensorKind::distance, "distance"},
                              {SensorKind::position, "position"},
                              {SensorKind::angle, "angle"},
                              {SensorKind::displacement, "displacement"},
                              {SensorKind::speed, "speed"},
                              {SensorKind::acceleration, "acceleration"},
                              {SensorKind::force, "force"},
                              {SensorKind::torque, "torque"},
                              {SensorKind::power, "power"},
                              {SensorKind::formula, "formula"}});
}

/// Of a pendulum: bodies and constraints, or one angle per link.
enum class Formulation { absolute, minimal };
constexpr auto words_of(Formulation) {
  return wording<Formulation>({{Formulation::absolute, "absolute"}, {Formulation::minimal, "minimal"}});
}

/// Of a pendulum: pins along the third axis, or balls.
enum class LinkJoint { revolute, spherical };
constexpr auto words_of(LinkJoint) {
  return wording<LinkJoint>({{LinkJoint::revolute, "revolute"}, {LinkJoint::spherical, "spherical"}});
}

/// Of a pendulum: mass at the lower end, or slender and uniform.
enum class LinkBody { point, rod };
constexpr auto words_of(LinkBody) {
  return wording<LinkBody>({{LinkBody::point, "point"}, {LinkBody::rod, "rod"}});
}

/// Of a lattice: every mass has one displacement and springs act on the difference (linear wave equation of
/// the grid), or points in as many dimensions as the size has entries, springs along the lines between them.
enum class Coordinates { scalar, space };
constexpr auto words_of(Coordinates) {
  return wording<Coordinates>({{Coordinates::scalar, "scalar"}, {Coordinates::space, "space"}});
}

}  // namespace cosimo::config
