#include "subsystem/overlap_system.hpp"

#include <array>
#include <vector>

#include "core/check.hpp"
#include "mechanics/dynamics.hpp"
#include "model/cut_effort.hpp"
#include "model/equations.hpp"
#include "subsystem/driven_part.hpp"
#include "subsystem/mechanism_part.hpp"

namespace cosimo {

namespace {

class ScalarOverlap final : public OverlapSystem {
 public:
  ScalarOverlap(const Model& model, const OverlappingPart& part, std::span<const CutPort> inputs)
      : equations_(model, part.part), part_(equations_, inputs) {
    for (const FarEdge& edge : part.edges) {
      const std::size_t e = edge.element.index();
      edges_.push_back(
          {model.elements.law(edge.element), model.elements.from[e].index(), model.elements.to[e].index()});
    }
  }

  const System& system() const override { return part_; }
  void hold_far_forces(double t, std::span<const double> x, std::span<const double> v,
                       std::span<Polynomial> inputs) const override {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const auto& [law, a, b] = edges_[i];
      inputs[i].origin = t;
      inputs[i].a[0] = law.force(x[b] - x[a], v[b] - v[a]);
    }
  }
  void drive(std::span<const Polynomial> inputs) override { part_.drive(inputs); }
  void drive_by_record(std::size_t port, const RecordedForce& force) override {
    part_.drive_by_record(port, force);
  }
  bool accelerations(double t, const Whole& y, std::span<const double> values,
                     std::span<const std::int32_t> dofs, std::span<double> a) const override {
    return part_.accelerations(t, y.q, y.v, values, dofs, a);
  }

 private:
  struct Edge {
    SpringLaw law;
    std::size_t from, to;  ///< bodies
  };
  Equations equations_;
  DrivenPart part_;
  std::vector<Edge> edges_;
};

class MechanismOverlap final : public OverlapSystem {
 public:
  MechanismOverlap(const Model& model, const OverlappingPart& part, std::span<const CutPort> inputs)
      : dynamics_(*model.mechanism, part.part.bodies, part.part.elements, Memory::essential),
        part_(model, dynamics_, inputs) {
    for (const FarEdge& edge : part.edges) {
      const ElementEnds ends = ends_of(model, edge.element);
      edges_.push_back({CutEffort(model, edge.element), model.coordinates(ends.from).first,
                        model.coordinates(ends.to).first});
    }
  }

  const System& system() const override { return part_; }
  void hold_far_forces(double t, std::span<const double> x, std::span<const double> v,
                       std::span<Polynomial> inputs) const override {
    std::array<double, effort_size> u{};
    std::size_t input = 0;
    for (const auto& [law, from, to] : edges_) {
      law.evaluate(t, {&x[from], &v[from]}, {&x[to], &v[to]}, u.data());
      for (std::size_t k = 0; k < law.components(); ++k, ++input) {
        inputs[input].origin = t;
        inputs[input].a[0] = u[k];
      }
    }
  }
  void drive(std::span<const Polynomial> inputs) override { part_.drive(inputs); }
  void begin(const double* q, const double* v, double* z, double* s) const override {
    dynamics_.begin(q, v, z, s);
  }
  void drive_by_record(std::size_t, const RecordedForce&) override {
    COSIMO_CHECK(false, "both sides of a mechanism's cut carry copies");
  }
  bool accelerations(double t, const Whole& y, std::span<const double> values,
                     std::span<const std::int32_t> dofs, std::span<double> a) const override {
    return part_.accelerations(t, y, values, dofs, a);
  }

 private:
  struct Edge {
    CutEffort law;
    std::size_t from, to;  ///< first coordinates of the bodies in the model
  };
  Dynamics dynamics_;
  MechanismPart part_;
  std::vector<Edge> edges_;
};

}  // namespace

std::vector<ElementId> essential_memories(const Model& model, std::span<const ElementId> elements) {
  std::vector<ElementId> kept;
  if (!model.mechanism) return kept;
  for (const ElementId e : elements)
    if (const ElementMemory* memory = model.mechanism->elements[e.index()]->memory();
        memory != nullptr && memory->essential())
      kept.push_back(e);
  return kept;
}

std::unique_ptr<OverlapSystem> make_overlap_system(const Model& model, const OverlappingPart& part,
                                                   std::span<const CutPort> inputs) {
  if (model.mechanism) return std::make_unique<MechanismOverlap>(model, part, inputs);
  return std::make_unique<ScalarOverlap>(model, part, inputs);
}

}  // namespace cosimo
