#include "config/contacts.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "config/read.hpp"
#include "config/read_values.hpp"
#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

/// Names of what may touch, bodies first.
struct Shapes {
  explicit Shapes(const Value& model) {
    for (const char* list : {"bodies", "ground"}) {
      const Value* entries = model.find(list);
      for (std::size_t k = 0; entries != nullptr && k < entries->items.size(); ++k) {
        const Value* name = entries->items[k].find("name");
        entry.push_back(&entries->items[k]);
        names.push_back(name != nullptr ? std::string_view(name->word) : std::string_view());
      }
      if (list == std::string_view("bodies")) bodies = entry.size();
    }
  }
  bool fits(const Value& pattern, std::size_t shape) const {
    return (pattern.word == "ground" && shape >= bodies) || matches(pattern.word, names[shape]);
  }

  std::size_t bodies = 0;
  std::vector<const Value*> entry;
  std::vector<std::string_view> names;
};

/// The patterns of a side: one name, or a list of them.
template <class F>
void for_patterns(const Value& side, const F& f) {
  if (side.is(Kind::name)) return f(side);
  for (const Value& item : side.items)
    if (item.ok()) f(item);
}

/// f(side) for the one or two sides of a contact.
template <class F>
void for_sides(const Value& contact, const F& f) {
  if (const Value* among = contact.find("among")) f(*among, std::size_t{0});
  const Value* between = contact.find("between");
  for (std::size_t k = 0; between != nullptr && k < between->items.size(); ++k)
    if (between->items[k].ok()) f(between->items[k], k);
}

class Rules {
 public:
  Rules(const Value& model, Faults& faults) : shapes_(model), faults_(faults) {}

  void ground(const Value& entry) {
    const Value* name = entry.find("name");
    if (name != nullptr && name->word == "ground")
      complain(faults_, *name, "is the name of all of the ground", "choose another name");
    if (name != nullptr && std::ranges::count(shapes_.names, std::string_view(name->word)) > 1)
      complain(faults_, *name, "a body or another shape of the ground has this name", "choose another name");
    const Value* orientation = entry.find("orientation");
    const Value* shape = entry.find("shape");
    if (orientation != nullptr && (orientation->find("axis") != nullptr) +
                                          (orientation->find("euler") != nullptr) +
                                          (orientation->find("quaternion") != nullptr) !=
                                      1)
      complain(faults_, *orientation, "is not complete, or says several things at once",
               "write `{axis: [x, y, z], angle: phi}`, `{quaternion: [w, x, y, z]}` or `{euler: [z, y, x]}`");
    if (shape == nullptr) return;
    for (const char* way : {"plane", "cylinder.axis", "capsule.axis", "tube.axis"}) {
      const Value* given = shape->find(way);
      if (given != nullptr && std::ranges::all_of(given->numbers, [](double x) { return x == 0; }))
        complain(faults_, *given, "has no direction", "write a vector that is not zero");
    }
    if (const Value* edges = shape->find("box"))
      for (std::size_t i = 0; i < edges->numbers.size(); ++i)
        if (!(edges->numbers[i] > 0)) complain(faults_, *edges, i, "must be > 0", "write a number > 0");
  }

  void contact(const Value& entry) {
    const Value *among = any_member(entry, "among"), *between = any_member(entry, "between");
    if ((among == nullptr) == (between == nullptr))
      complain(faults_, entry, among == nullptr ? "does not say what touches" : "says twice what touches",
               "write `among: [names]` or `between: [names, names]`");
    for_sides(entry, [&](const Value& side, std::size_t) {
      for_patterns(side, [&](const Value& pattern) { check_pattern(pattern); });
    });
    if (const Value* sticking = entry.find("sticking")) {
      const Value* friction = any_member(entry, "friction");
      if (friction == nullptr || (friction->ok() && friction->number == 0))
        complain(faults_, *sticking, "there is no friction that could hold", "add `friction`: a number > 0");
      if (const Value* slip = entry.find("slip"))
        complain(faults_, *slip, "friction that sticks does not fade", "leave `slip` out, or `sticking`");
    }
  }

 private:
  void check_pattern(const Value& pattern) {
    bool any = false;
    for (std::size_t k = 0; k < shapes_.names.size(); ++k) {
      if (!shapes_.fits(pattern, k)) continue;
      any = true;
      const Value& entry = *shapes_.entry[k];
      if (k >= shapes_.bodies || !entry.ok() || any_member(entry, "shape") != nullptr) continue;
      complain(faults_, pattern, "body " + std::string(shapes_.names[k]) + " has no `shape` that could touch",
               "give it a `shape`, or write names that leave it out");
      return;
    }
    if (any) return;
    complain(faults_, pattern, "there is no body and no shape of the ground of this name",
             name_remedy(pattern.word, shapes_.names, "name bodies, or shapes under `ground`"));
  }

  Shapes shapes_;
  Faults& faults_;
};

std::vector<std::int32_t> numbers_of(const Value& side, const Shapes& shapes) {
  std::vector<std::int32_t> numbers;
  for (std::size_t k = 0; k < shapes.names.size(); ++k) {
    bool fits = false;
    for_patterns(side, [&](const Value& pattern) { fits = fits || shapes.fits(pattern, k); });
    if (fits) numbers.push_back(static_cast<std::int32_t>(k));
  }
  return numbers;
}

void take(const Value& entry, const char* name, double& member) {
  if (const Value* found = entry.find(name)) member = found->number;
}

Contact read_contact(const Value& entry, const Shapes& shapes) {
  Contact out;
  out.name = word(entry, "name");
  out.place = place_of(entry);
  for_sides(entry, [&](const Value& side, std::size_t k) { out.sides[k] = numbers_of(side, shapes); });
  if (entry.find("among") != nullptr) out.sides[1] = out.sides[0];
  take(entry, "stiffness", out.stiffness);
  take(entry, "exponent", out.exponent);
  take(entry, "damping", out.damping);
  take(entry, "friction", out.friction);
  take(entry, "slip", out.slip);
  take(entry, "spacing", out.spacing);
  if (const Value* sticking = entry.find("sticking")) {
    out.sticking = true;
    take(*sticking, "stiffness", out.sticking_stiffness);
    if (const Value* damping = sticking->find("damping")) out.sticking_damping = damping->number;
  }
  return out;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= text.size(); ++from)
    if (matches(rest, text.substr(from))) return true;
  return false;
}

bool takes_part(const Value& contact, std::string_view name, bool fixed) {
  bool any = false;
  for_sides(contact, [&](const Value& side, std::size_t) {
    for_patterns(side, [&](const Value& pattern) {
      any = any || matches(pattern.word, name) || (fixed && pattern.word == "ground");
    });
  });
  return any;
}

void check_contacts(const Value& model, Faults& faults) {
  Rules rules(model, faults);
  if (const Value* ground = model.find("ground"))
    for (const Value& entry : ground->items)
      if (entry.ok()) rules.ground(entry);
  if (const Value* contacts = model.find("contacts"))
    for (const Value& entry : contacts->items)
      if (entry.ok()) rules.contact(entry);
}

void read_contacts(const Value& model, const ShapeMasses& shapes, Mechanism& mechanism) {
  if (const Value* ground = model.find("ground"))
    for (const Value& entry : ground->items) {
      GroundShape& made = mechanism.ground.emplace_back();
      made.name = word(entry, "name");
      made.place = place_of(entry);
      if (const Value* plane = entry.find("shape.plane"))
        std::ranges::copy(plane->numbers, made.normal.begin());
      else
        made.shape = shapes.at(made.name).outline;
      if (const Value* position = entry.find("position"))
        std::ranges::copy(position->numbers, made.position.begin());
      if (const Value* orientation = entry.find("orientation"))
        made.orientation = read_orientation(*orientation);
    }
  const Shapes known(model);
  if (const Value* contacts = model.find("contacts"))
    for (const Value& entry : contacts->items) mechanism.contacts.push_back(read_contact(entry, known));
}

}  // namespace cosimo::config
