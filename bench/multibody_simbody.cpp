// The same chains in Simbody: a tree of pin or ball mobilisers, as its users write it. In C++17: its headers
// are ambiguous in C++20.
#include <Simbody.h>

#include <cmath>
#include <memory>

#include "bench/multibody.hpp"
#include "bench/timing.hpp"

namespace cosimo::bench {

namespace {

using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::Transform;
using SimTK::Vec3;

class SimbodyChain {
 public:
  explicit SimbodyChain(const HangingChain& chain)
      : chain_(chain),
        matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, chain.gravity * down()) {
    // The rod lies along its x axis, the centre of mass is its origin; a hundredth of the inertia about
    // itself keeps it regular, as in ours.
    const double across = chain.mass * chain.length * chain.length / 12;
    const SimTK::Body::Rigid rod(
        SimTK::MassProperties(chain.mass, Vec3(0), SimTK::Inertia(0.01 * across, across, across)));
    const Transform upper(Vec3(-0.5 * chain.length, 0, 0)), lower(Vec3(0.5 * chain.length, 0, 0));
    for (std::size_t i = 0; i < chain.links; ++i) {
      MobilizedBody& above = i == 0 ? static_cast<MobilizedBody&>(matter_.Ground()) : links_.back();
      const Transform at_above = i == 0 ? Transform() : lower;
      if (chain.spatial)
        links_.push_back(MobilizedBody::Ball(above, at_above, rod, upper));
      else
        links_.push_back(MobilizedBody::Pin(above, at_above, rod, upper));
    }
  }

  SimTK::State initial_state() {
    SimTK::State state = system_.realizeTopology();
    system_.realizeModel(state);
    Rotation above;  // the ground
    for (std::size_t i = 0; i < chain_.links; ++i) {
      const Rotation now = orientation(chain_.angle[i]);
      links_[i].setQToFitRotation(state, ~above * now);
      above = now;
    }
    if (chain_.spatial) links_.front().setUToFitAngularVelocity(state, Vec3(chain_.sideways, 0, 0));
    return state;
  }

  Vec3 tip(const SimTK::State& state) const {
    return links_.back().findStationLocationInGround(state, Vec3(0.5 * chain_.length, 0, 0));
  }

  const SimTK::MultibodySystem& system() const { return system_; }

 private:
  Vec3 down() const { return chain_.spatial ? Vec3(0, 0, -1) : Vec3(0, -1, 0); }
  /// x along the rod, z the normal of the plane it starts in.
  Rotation orientation(double angle) const {
    const Vec3 normal = chain_.spatial ? Vec3(0, -1, 0) : Vec3(0, 0, 1);
    const Vec3 along = std::cos(angle) * down() + std::sin(angle) * Vec3(1, 0, 0);
    return Rotation(SimTK::Mat33(along, SimTK::cross(normal, along), normal), true);
  }

  const HangingChain& chain_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::Gravity gravity_;
  std::vector<MobilizedBody> links_;
};

std::unique_ptr<SimTK::Integrator> make_integrator(SimbodyMethod method, const SimTK::System& system) {
  if (method == SimbodyMethod::merson) return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
  return std::make_unique<SimTK::RungeKutta3Integrator>(system);
}

}  // namespace

ChainRun run_simbody(const HangingChain& chain, SimbodyMethod method, double accuracy) {
  SimbodyChain model(chain);
  const SimTK::State initial = model.initial_state();
  const auto integrator = make_integrator(method, model.system());
  integrator->setAccuracy(accuracy);
  integrator->setFinalTime(chain.times.back());
  integrator->initialize(initial);
  ChainRun run;
  run.rtol = accuracy;
  const auto before = model.system().getNumRealizationsOfThisStage(SimTK::Stage::Acceleration);
  const double begin = processor_time();
  for (const double t : chain.times) {
    while (integrator->getTime() < t) integrator->stepTo(t);
    model.system().realize(integrator->getState(), SimTK::Stage::Position);
    const Vec3 tip = model.tip(integrator->getState());
    for (int k = 0; k < 3; ++k) run.tip.push_back(tip[k]);
  }
  run.seconds = processor_time() - begin;
  run.steps = integrator->getNumStepsTaken();
  run.evaluations = model.system().getNumRealizationsOfThisStage(SimTK::Stage::Acceleration) - before;
  return run;
}

}  // namespace cosimo::bench
