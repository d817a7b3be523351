// A model as cutting, halos, costs and advice see it: bodies, the elements and joints between them, and how
// heavy, how fast and how exposed they are. A producer of parts fills it (model/graphs.hpp); whoever asks
// does not learn what kind of model is behind it.
//
// Tables are made when they are first asked for, on any thread. Of a windowed model (model/model.hpp) the
// graph knows the bodies that are filled, with work and memory for these; to ask for the surroundings of
// another is an error, because a halo that ends where knowledge ends would be wrong. When the model was
// extended, and while nobody asks, say so: renew().
//
// *How fast* an element moves the body at one of its ends, the far end held, with the body's mass matrix M
// and the element's stiffness K and damping D as that body feels them:
//
//   stiffness = largest eigenvalue of M^-1 K   (rate squared),     damping = that of M^-1 D   (rate).
//
// For bodies of one coordinate they are k/m and d/m; for rigid bodies they weigh translations and rotations
// alike, and the ratio of both ends' rates is the inverse ratio of the masses that the element sees, whatever
// its kind. Laws are nonlinear and initial states often random: one sample of what will come. Laws of one
// coordinate are therefore evaluated at a typical motion of the whole model, so that elements of equal law
// are equal. Elements in space are taken at the initial state. What holds at a later state: model/media.hpp.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "partition/part.hpp"

namespace cosimo {

/// An element seen from one of its bodies.
struct Incident {
  ElementId element;
  BodyId other;  ///< may be the ground
};

/// 1/time^2 and 1/time; zero at the ground.
struct EndRates {
  double stiffness = 0, damping = 0;
};
struct ElementRates {
  EndRates from, to;
};

/// Stretch of an element and its rate.
struct ElementMotion {
  double dx = 0, dv = 0;
};
/// Where laws are evaluated: the root mean square of all elements, the greatest speed of all bodies.
struct TypicalMotion {
  double dx = 0, dv = 0, speed = 0;
};

/// What acts on a body from outside, by how little is known of when and how hard.
enum class Load { none, smooth, impulse, formula, contact };

class BodyGraph {
 public:
  BodyGraph(const BodyGraph&) = delete;
  BodyGraph& operator=(const BodyGraph&) = delete;
  virtual ~BodyGraph() = default;

  /// Of the model, known or not.
  std::size_t bodies() const { return bodies_.size(); }
  std::size_t elements() const { return elements_.size(); }
  /// All bodies are known.
  bool complete() const;
  bool knows(BodyId body) const { return tables().place(body.index()) != unknown; }
  void renew() { tables_ = std::make_unique<Tables>(); }

  virtual ElementEnds ends(ElementId element) const = 0;
  /// The elements that act on the body, in their order.
  std::span<const Incident> around(BodyId body) const {
    const Tables& known = tables();
    const std::size_t i = known.place(body.index());
    COSIMO_CHECK(i != unknown, "the surroundings of a body that is not filled");
    return std::span(known.incident).subspan(known.first[i], known.first[i + 1] - known.first[i]);
  }
  /// Bodies that every joint holds together; one alone is joined to the ground.
  virtual std::vector<std::span<const BodyId>> joints() const { return {}; }
  /// Bodies on which laws act that see all of them at once (contacts, ropes).
  virtual std::vector<std::span<const BodyId>> together() const { return {}; }
  /// Elements with a memory that only one subsystem can keep: no cut may go through them.
  virtual std::vector<ElementId> uncut() const { return {}; }
  /// Bodies that stay together, which no cut may part: itself and its mates, ascending; empty where
  /// nothing holds any together.
  std::span<const BodyId> group(BodyId body) const;
  /// The group of every body; groups are numbered by their smallest body.
  std::vector<std::int32_t> groups() const;
  std::size_t group_count() const;
  /// Why the two bodies of an element stay together, and what to do about it.
  struct Hold {
    std::string problem, remedy;
  };
  Hold hold(ElementId element) const;

  virtual double mass(BodyId body) const = 0;
  virtual std::size_t coordinates(BodyId /*body*/) const { return 1; }
  virtual std::size_t freedoms(BodyId /*body*/) const { return 1; }
  /// Radius of gyration; 0: it does not turn.
  virtual double arm(BodyId /*body*/) const { return 0; }
  /// Coupling forces when the element is cut.
  virtual std::size_t components(ElementId /*element*/) const { return 1; }

  /// What a scenario file calls a coordinate of the body, and whether it is an angle or part of a quaternion.
  virtual std::string coordinate(BodyId /*body*/, std::size_t /*number*/) const { return "x"; }
  virtual bool is_angle(BodyId /*body*/, std::size_t /*number*/) const { return false; }
  /// What it calls the force along a freedom of the body, or the torque about it.
  virtual std::string force(BodyId /*body*/, std::size_t /*freedom*/) const { return "force"; }

  /// Of the initial state; zero where elements are taken at that state anyway.
  virtual ElementMotion motion(ElementId /*element*/) const { return {}; }
  /// That the body has at the start, or that a load gives it.
  virtual double speed(BodyId /*body*/) const { return 0; }
  /// Over all that is known.
  TypicalMotion motion() const;
  virtual ElementRates element_rates(ElementId element, const TypicalMotion& at) const = 0;
  std::vector<ElementRates> element_rates() const;
  /// A bound of the rates that the body takes part in, with its contacts (partition/cut_cost.hpp).
  double body_rate(BodyId body, const TypicalMotion& at) const;

  virtual Load load(BodyId body) const = 0;
  bool loaded(BodyId body) const { return load(body) != Load::none; }
  /// By what may come at any moment.
  bool struck(BodyId body) const { return load(body) >= Load::impulse; }
  /// Of every body: 1 with a load, 2 with a contact, halved with every element away, 0 beyond six.
  std::vector<double> exposure() const;
  /// Whether the force of an element may set in at any moment, which a cut through it sees at macro points
  /// only.
  virtual bool sets_in(ElementId /*element*/) const { return false; }
  /// Whether the element keeps its ends together; one that only pushes does not.
  virtual bool holds(ElementId /*element*/) const { return true; }
  virtual bool has_gravity() const { return false; }
  /// Whether one side of a cut may be driven by the force that the other has recorded.
  virtual bool may_follow() const { return false; }
  /// First instant after t at which a load, an element or a joint has an edge; infinity: none.
  virtual double next_breakpoint(double t) const = 0;

  /// Bodies and elements have names of their own.
  virtual bool named() const { return false; }
  virtual bool is_joint(const std::string& /*name*/) const { return false; }
  /// As a scenario file names it: "7", or its own name.
  virtual std::string label(BodyId body) const { return std::to_string(body.label()); }
  virtual std::string label(ElementId element) const { return std::to_string(element.label()); }
  /// "body 7", or its own name.
  std::string name(BodyId body) const;
  std::string name(ElementId element) const;
  /// "element 7 between bodies 6 and 7", or "strut1 between chassis and wheel1".
  std::string cut_name(ElementId element) const;
  /// Initial places in space, one per body; empty where a model does not say, or all are on one axis.
  virtual std::vector<std::array<double, 3>> places() const { return {}; }

 protected:
  BodyGraph(std::size_t bodies, std::size_t elements) : bodies_{0, bodies}, elements_{0, elements} {}

  virtual std::span<const Range> known_bodies() const { return {&bodies_, 1}; }
  virtual std::span<const Range> known_elements() const { return {&elements_, 1}; }
  /// An element that never does anything is not there.
  virtual bool acts(ElementId /*element*/) const { return true; }
  /// Rate (1/time) of the contacts on a body that meets them at `speed`; those that are elements have theirs.
  virtual double contact_rate(BodyId /*body*/, double /*speed*/) const { return 0; }

 private:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  /// Bodies that are known, and the place of the first among all of them.
  struct Stretch {
    Range bodies;
    std::size_t place = 0;
  };
  struct Tables {
    std::size_t place(std::size_t body) const {
      const bool common = body >= longest.bodies.first && body < longest.bodies.last;
      return common ? longest.place + (body - longest.bodies.first) : rare_place(body);
    }
    std::size_t rare_place(std::size_t body) const;

    std::once_flag made;
    std::atomic<bool> ready = false;
    Stretch longest;
    std::vector<Stretch> others;  ///< ascending
    std::vector<std::size_t> first;
    std::vector<Incident> incident;
    std::vector<std::int32_t> group_of;  ///< empty without joints
    std::vector<std::size_t> member_first;
    std::vector<BodyId> member;
  };
  const Tables& tables() const {
    // Asked for body by body: a look at a flag is cheaper than call_once().
    if (!tables_->ready.load(std::memory_order_acquire))
      std::call_once(tables_->made, [this] {
        make(*tables_);
        tables_->ready.store(true, std::memory_order_release);
      });
    return *tables_;
  }
  void make(Tables& tables) const;
  void find_mates(Tables& tables) const;

  Range bodies_, elements_;
  std::unique_ptr<Tables> tables_ = std::make_unique<Tables>();
};

}  // namespace cosimo
