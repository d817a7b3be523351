#include "mechanics/bushing_table.hpp"

#include <algorithm>
#include <tuple>

#include <Eigen/Geometry>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/power_law.hpp"

namespace cosimo {

namespace {

struct Entry {
  std::size_t unit = 0;
  std::uint32_t element = 0;
  const BushingSpec* spec = nullptr;
  bool translates = false, rotates = false, cubic = false;
  std::array<std::size_t, 2> place{};  ///< in the table of bodies
  std::array<bool, 2> planar{};

  auto shape() const { return std::tuple(unit, translates, rotates, cubic, planar); }
  auto key() const { return std::tuple(shape(), place[1], place[0], element); }
};

bool all_free(std::span<const PowerLaw> laws) {
  return std::all_of(laws.begin(), laws.end(), [](const PowerLaw& one) { return is_free(one); });
}

/// Whether the kernels can do it.
bool can_be_tabled(const BushingSpec& spec) {
  for (const PowerLaw& law : spec.law)
    if ((law.C != 0 && law.ex != 3) || (law.D != 0 && law.ev != 3)) return false;
  return all_free(std::span(spec.law).last(3)) || !is_free(spec.law[5]);
}

void put(const Vec3& a, double* out) {
  for (Eigen::Index k = 0; k < 3; ++k) out[static_cast<std::size_t>(k) * pack_things] = a[k];
}
void put_orientation(const Mat3& axes, double* out) {
  const Eigen::Quaterniond p(axes);
  out[0] = p.w();
  put(p.vec(), out + pack_things);
}

void put_numbers(const ForceElement& element, const BushingSpec& spec, double* out) {
  using Table = BushingTable;
  put(element.at_from.point, out + Table::from * pack_things);
  for (std::size_t k = 0; k < 3; ++k)
    put(element.at_from.axes.col(static_cast<Eigen::Index>(k)), out + (Table::axes + 3 * k) * pack_things);
  put_orientation(element.at_from.axes, out + Table::turn_from * pack_things);
  put(element.at_to.point, out + Table::to * pack_things);
  put_orientation(element.at_to.axes, out + Table::turn_to * pack_things);
  for (std::size_t k = 0; k < 6; ++k) {
    const PowerLaw& law = spec.law[k];
    double* const own = out + (Table::law + 4 * k) * pack_things;
    for (std::size_t i = 0; const double x : {law.c, law.d, law.C, law.D}) own[i++ * pack_things] = x;
  }
}

}  // namespace

BushingTable::BushingTable(std::span<const ElementData> elements, const BodyTable& bodies) {
  std::vector<Entry> entries;
  for (std::uint32_t e = 0; e < elements.size(); ++e) {
    const ElementData& data = elements[e];
    const BushingSpec* const spec = data.element->bushing();
    const auto place = [&](std::int32_t body) {
      return body == no_body ? bodies.ground_place() : bodies.place[static_cast<std::size_t>(body)];
    };
    const std::array<std::size_t, 2> at{place(data.from), place(data.to)};
    if (spec == nullptr || !can_be_tabled(*spec) || at[0] == BodyTable::none || at[1] == BodyTable::none) {
      others.push_back(e);
      continue;
    }
    bool cubic = false;
    for (const PowerLaw& one : spec->law) cubic = cubic || one.C != 0 || one.D != 0;
    Entry entry{
        0,     e,  spec, !all_free(std::span(spec->law).first(3)), !all_free(std::span(spec->law).last(3)),
        cubic, at, {}};
    for (std::size_t side = 0; side < 2; ++side)
      entry.planar[side] = at[side] != bodies.ground_place() && bodies.is_planar(at[side]);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto on_body = [&](std::size_t k) { return at[k] != bodies.ground_place(); };
      if (!on_body(side)) continue;
      if (side == 1 && on_body(0) && bodies.unit_of(at[0]) == bodies.unit_of(at[1])) continue;
      entry.unit = bodies.unit_of(at[side]);
      entries.push_back(entry);
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key() < b.key(); });

  units.resize(bodies.units.size());
  std::vector<double> all;
  for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
    while (last < entries.size() && last < first + pack_things &&
           entries[last].shape() == entries[first].shape())
      ++last;
    BushingGroup& group = groups.emplace_back();
    const std::size_t unit = entries[first].unit;
    group.translates = entries[first].translates;
    group.rotates = entries[first].rotates;
    group.cubic = entries[first].cubic;
    group.planar = entries[first].planar;
    units[unit].last = groups.size();
    all.resize(groups.size() * constants * pack_things);
    for (std::size_t i = 0; i < pack_things; ++i) {
      const Entry& entry = entries[std::min(first + i, last - 1)];
      put_numbers(*elements[entry.element].element, *entry.spec,
                  all.data() + (groups.size() - 1) * constants * pack_things + i);
      for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t place = entry.place[side];
        const bool fixed = place == bodies.ground_place();
        group.side[side].at[i] = static_cast<std::int32_t>(bodies.pose_of(fixed ? place + i : place));
        group.force[side][i] = fixed || first + i >= last || bodies.unit_of(place) != unit
                                   ? BushingGroup::nowhere
                                   : static_cast<std::uint32_t>(bodies.force_of(place).at);
      }
    }
    for (PackPoses& side : group.side) side.find_out();
  }
  for (std::size_t k = 0, first = 0; k < units.size(); first = units[k++].last)
    units[k] = {first, std::max(first, units[k].last)};
  numbers = AlignedVector(std::span<const double>(all));
}

}  // namespace cosimo
