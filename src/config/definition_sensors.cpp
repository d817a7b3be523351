// `model.sensors` of the table.
#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/definition.hpp"
#include "config/definition_parts.hpp"
#include "config/sensors.hpp"

namespace cosimo::config {

namespace {

using Keys = std::vector<Key>;

template <class... More>
Form sensor(std::initializer_list<SensorKind> kinds, std::string description, More... more) {
  Keys keys{required("name", {name()}, "what results and connections call it, without a dot"),
            required("kind", {one_of(kinds)}, std::move(description))};
  (keys.push_back(std::move(more)), ...);
  return section(std::move(keys));
}

Key direction(const char* what) {
  return silent_derived("direction", {numbers(1, 3)}, what, "the component along it, global axes", "1");
}

Key point(const char* key, const char* body) {
  return silent_derived(
      key, {numbers(1, 3)}, "the reference point",
      std::string("point on `") + body + "`, from its reference point along its reference axes", "length");
}

Key joint() {
  return required("joint", {name()}, "a revolute, prismatic or cylindrical joint");
}

}  // namespace

Key sensors_key() {
  const Key body = required("body", {name()}, "the body, or `body.marker`");
  const Key of =
      required("of", {name()},
               "an element or a joint; a span of a rope (`rope.F1`), or a body or shape of the ground "
               "that a contact touches (`touch.ball`)");
  const Form distance = sensor({SensorKind::distance}, "distance of two points",
                               silent("from", {name()}, "ground", "body, `body.marker`, or `ground`"),
                               silent("to", {name()}, "ground", "body, `body.marker`, or `ground`"),
                               point("at_from", "from"), point("at_to", "to"));
  const Form place = sensor({SensorKind::position, SensorKind::acceleration},
                            "place or acceleration of a point: its length, or along a direction", body,
                            point("at_body", "body"), direction("the magnitude"));
  const Form value =
      sensor({SensorKind::angle, SensorKind::displacement}, "of a joint, from its placement", joint());
  const Form speed = sensor(
      {SensorKind::speed}, "of a joint, or of a point: its magnitude, or along a direction",
      silent_derived("joint", {name()}, "`body` says of what", "a revolute, prismatic or cylindrical joint"),
      silent("measure", {one_of({Measure::displacement, Measure::angle})},
             std::string(word_of(Measure::displacement)), "of a cylindrical joint: which of its speeds"),
      silent_derived("body", {name()}, "`joint` says of what", "the body, or `body.marker`"),
      point("at_body", "body"), direction("the magnitude"));
  const Form load = sensor({SensorKind::force, SensorKind::torque},
                           "what an element does to `to`, or a joint as in `/reactions`", of,
                           direction("the magnitude; of a motor and of what acts in a joint, along its axis, "
                                     "positive where it makes the angle or displacement larger"));
  const Form power = sensor({SensorKind::power}, "of an element or a motor on the bodies",
                            required("of", {name()}, "an element or a motor"));
  const Form formula_form = sensor(
      {SensorKind::formula}, "any formula",
      required("formula", {config::formula(sensor_variables())},
               "of t, coordinates of bodies (`arm.x`, `arm.phi`, `der(arm.y)`), joints (`pivot.angle`, "
               "`pivot.speed`) and sensors before it",
               "1"),
      silent_derived("of", {list({text()}, 0, most_references)}, "the formula has the names",
                     "what `ref1`, `ref2`, ... in the formula are: for names that a formula cannot contain"));
  return silent_derived(
      "sensors", {list({variants({distance, place, value, speed, load, power, formula_form})})}, "none",
      "what is measured: recorded by name in `/sensors`, and usable in `connections`");
}

}  // namespace cosimo::config
