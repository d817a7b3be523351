#include "config/tyres.hpp"

#include <array>
#include <string>

#include "config/choices.hpp"
#include "config/definition.hpp"
#include "config/read_values.hpp"
#include "config/rules.hpp"

namespace cosimo::config {

namespace {

/// What a brush must say, and a file says for the other model.
constexpr std::array<const char*, 6> of_a_brush{"radius", "stiffness", "friction", "tread", "patch", "load"};
constexpr std::array<const char*, 3> of_a_brush_alone{"damping", "points", "rolling_resistance"};

void take(const Value& entry, const char* name, double& member) {
  if (const Value* found = entry.find(name)) member = found->number;
}
void take(const Value& entry, const char* name, std::optional<double>& member) {
  if (const Value* found = entry.find(name)) member = found->number;
}

}  // namespace

Key road_key() {
  const Form wave = section({
      required("amplitude", {number()}, "height of the wave", "length"),
      required("wavelength", {positive_number()}, "length of the wave", "length"),
      silent("phase", {number()}, "0", "phase at x = 0", "angle"),
  });
  return silent_derived("road",
                        {section({silent("height", {number()}, "0", "mean height", "length"),
                                  silent("waves", {list({wave})}, "[]",
                                         "amplitude sin(2 pi x / wavelength + phase), added up")})},
                        "the plane at height 0", "the ground below; z is upwards, y for planar bodies");
}

Form tyre_form() {
  const Form nonnegative = number({.low = 0});
  return section({
      required("name", {name()}, "what results and messages call it"),
      required("kind", {one_of({ElementKind::tyre})}, "a tyre between a wheel and the ground"),
      required("body", {name()}, "the wheel, or `wheel.marker`"),
      silent_derived("at", {numbers(1, 3)}, "the reference point", "its centre, in space at t = 0", "length"),
      silent_derived("at_body", {numbers(1, 3)}, "the reference point",
                     "the same from the reference point along the reference axes", "length"),
      silent_derived("axis", {numbers(2, 3)}, "y; -z of planar bodies",
                     "of the axle, to the left of the way forward, in space at t = 0"),
      required("model", {one_of<TyreModel>()},
               "`brush`: few physical numbers; `pacejka`: the Magic Formula with the coefficients of a file"),
      silent_derived("file", {text()}, "needed with `model: pacejka`",
                     "the `.tir` file, relative to the one that names it"),
      silent_derived("radius", {positive_number()}, "needed with `model: brush`", "of the tyre without load",
                     "length"),
      silent_derived("stiffness", {positive_number()}, "needed with `model: brush`, or `points`",
                     "radial force for each unit of deflection", "force/length"),
      silent_derived("points", {list({numbers(2, 2)}, 2)}, "`stiffness` holds",
                     "`[deflection, radial force]`, both ascending from `[0, 0]`, instead of `stiffness`",
                     "length, force"),
      silent_derived("damping", {nonnegative}, "0",
                     "radial force for each rate of deflection; never more than the force of the deflection",
                     "force time/length"),
      silent_derived("friction", {positive_number()}, "needed with `model: brush`",
                     "coefficient between tread and road", "1"),
      silent_derived("tread", {positive_number()}, "needed with `model: brush`",
                     "stiffness of the bristles: force for each length of the patch and of deflection",
                     "force/length^2"),
      silent_derived("patch", {positive_number()}, "needed with `model: brush`",
                     "half of the length of the patch at `load`; it grows with the root of the load",
                     "length"),
      silent_derived("load", {positive_number()}, "needed with `model: brush`", "the usual radial force",
                     "force"),
      silent_derived("rolling_resistance", {nonnegative}, "0",
                     "moment against the spin for each unit of load", "length"),
      silent_derived("relaxation", {numbers(2, 2)}, "brush: half of the patch; pacejka: as the file says",
                     "lengths after which slips along and across have come to 1 - 1/e", "length"),
      silent_derived("slow", {positive_number()}, "VXLOW of the file, else 1 m/s",
                     "speed below which it becomes a tyre that stands: a spring with a damper",
                     "length/time"),
      silent("grip", {positive_number()}, "1", "factor of the friction, for a wet or icy road", "1"),
      silent("mirrored", {boolean()}, "false",
             "pacejka: it is on the other side of the vehicle than the file is for"),
      silent_derived("ground", {name()}, "`road` holds",
                     "a plane of `ground` on which it rolls, instead of `road`"),
      road_key(),
  });
}

void check_tyre(const Value& entry, const EndBody& body, MechanismRules& rules) {
  Faults& faults = rules.faults();
  const Value* named = entry.find("body");
  if (named != nullptr && body.is_point())
    complain(faults, *named, "a point mass does not roll", "name a rigid or a planar body");
  const Value* axis = entry.find("axis");
  if (rules.direction(axis, 0) && axis != nullptr && body.known && body.dimensions == 2 &&
      (axis->numbers.size() < 3 || axis->numbers[0] != 0 || axis->numbers[1] != 0))
    complain(faults, *axis, "planar bodies turn only about z", "leave it out");
  if (const Value* lengths = entry.find("relaxation"))
    for (std::size_t i = 0; i < lengths->numbers.size(); ++i)
      if (!(lengths->numbers[i] > 0)) complain(faults, *lengths, i, "must be > 0", "write a number > 0");
  if (const Value* plane = entry.find("ground"), *road = any_member(entry, "road");
      plane != nullptr && road != nullptr)
    complain(faults, *plane, "`road` already says where it rolls", "keep one of them");
  const Value* word = entry.find("model");
  if (word == nullptr) return;
  const bool brush = choice_of<TyreModel>(word->word) == TyreModel::brush;
  const Value* file = any_member(entry, "file");
  if (!brush && file == nullptr) complain(faults, *word, "has no coefficients", "add `file: name.tir`");
  if (brush && file != nullptr)
    complain(faults, *file, "belongs to `model: pacejka`", "leave it out, or write `model: pacejka`");
  const bool table = any_member(entry, "points") != nullptr;
  for (const char* key : of_a_brush) {
    const Value* given = any_member(entry, key);
    const bool other = std::string_view(key) == "stiffness" && table;
    if (brush && given == nullptr && !other)
      complain(faults, *word, "needs `" + std::string(key) + "`", "add `" + std::string(key) + "`");
    if (brush && given != nullptr && other)
      complain(faults, *given, "`points` already says it", "keep one of them");
    if (!brush && given != nullptr)
      complain(faults, *given, "the file says it", "leave it out, or change the file");
  }
  for (const char* key : of_a_brush_alone)
    if (const Value* given = any_member(entry, key); given != nullptr && !brush)
      complain(faults, *given, "the file says it", "leave it out, or change the file");
  if (const Value* mirrored = entry.find("mirrored"); mirrored != nullptr && mirrored->boolean && brush)
    complain(faults, *mirrored, "a brush is the same on both sides", "leave it out");
  const Value* points = entry.find("points");
  for (std::size_t i = 0; points != nullptr && i < points->items.size(); ++i) {
    const Value& point = points->items[i];
    if (!point.ok()) return;
    const bool starts = i > 0 || (point.numbers[0] == 0 && point.numbers[1] == 0);
    const bool rises = i == 0 || !points->items[i - 1].ok() ||
                       (point.numbers[0] > points->items[i - 1].numbers[0] &&
                        point.numbers[1] >= points->items[i - 1].numbers[1]);
    if (!starts || !rises)
      return complain(faults, point, starts ? "does not rise" : "is not [0, 0]",
                      "begin with [0, 0], and list points with growing deflections and forces");
  }
}

std::shared_ptr<const Tyre> read_tyre(const Value& entry) {
  auto out = std::make_shared<Tyre>();
  out->model = chosen<TyreModel>(entry, "model");
  if (const Value* file = entry.find("file")) out->file = file->word;
  if (const Value* ground = entry.find("ground")) out->ground = ground->word;
  take(entry, "radius", out->radius);
  take(entry, "stiffness", out->stiffness);
  take(entry, "damping", out->damping);
  take(entry, "friction", out->friction);
  take(entry, "tread", out->tread);
  take(entry, "patch", out->patch);
  take(entry, "load", out->load);
  take(entry, "rolling_resistance", out->rolling_resistance);
  take(entry, "grip", out->grip);
  take(entry, "slow", out->slow);
  if (const Value* mirrored = entry.find("mirrored")) out->mirrored = mirrored->boolean;
  if (const Value* lengths = entry.find("relaxation"))
    out->relaxation = std::array{lengths->numbers[0], lengths->numbers[1]};
  if (const Value* points = entry.find("points"))
    for (const Value& point : points->items) out->points.push_back({point.numbers[0], point.numbers[1]});
  out->axis_given = entry.find("axis") != nullptr;
  return out;
}

void read_road(const Value& entry, double& height, std::vector<RoadWave>& waves) {
  take(entry, "road.height", height);
  const Value* list = entry.find("road.waves");
  if (list == nullptr) return;
  for (const Value& wave : list->items) {
    RoadWave& added = waves.emplace_back();
    added.amplitude = number(wave, "amplitude");
    added.wavelength = number(wave, "wavelength");
    take(wave, "phase", added.phase);
  }
}

}  // namespace cosimo::config
