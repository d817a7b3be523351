#include "mechanics/slide_spring_element.hpp"

#include <utility>

#include "mechanics/along.hpp"

namespace cosimo {
namespace {

class SlideSpring final : public ForceElement {
 public:
  SlideSpring(std::string element_name, const Marker& from, const Marker& to, const PowerLaw& law,
              double unloaded)
      : ForceElement(std::move(element_name), from, to), law_(law), unloaded_(unloaded) {}

  EffortMask components() const override { return components_along(along); }
  std::string_view kind() const override { return "spring"; }

  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    const Travel at = travel(along, from, to);
    out = effort_along(along, at, force_of(law_, at.s - unloaded_, at.rate));
    return out.force.allFinite() && out.torque_from.allFinite();
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    const Travel at = travel(along, from, to);
    const double s = at.s - unloaded_;
    gradient_along(along, from, to,
                   {force_of(law_, s, at.rate), stiffness_of(law_, s), damping_of(law_, at.rate)}, out);
  }
  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    return energy_of(law_, travel(along, from, to).s - unloaded_);
  }

 private:
  static constexpr Along along = Along::displacement;

  PowerLaw law_;
  double unloaded_;
};

}  // namespace

std::unique_ptr<ForceElement> make_slide_spring(std::string name, const Marker& from, const Marker& to,
                                                const PowerLaw& law, double unloaded) {
  return std::make_unique<SlideSpring>(std::move(name), from, to, law, unloaded);
}

}  // namespace cosimo
