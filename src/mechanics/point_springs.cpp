#include "mechanics/point_springs.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics/point_spring_kernels.hpp"

namespace cosimo {

namespace {

constexpr std::size_t slice_bodies = 8;

using Form = SpringRows::Form;
using Power = SpringRows::Power;

Form form_of(const SpringSpec& spec) {
  if (spec.law.C != 0 || spec.law.D != 0) return Form::general;
  return spec.vector_damping || spec.law.d == 0 ? Form::whole : Form::line;
}

Power power_of(double coefficient, double exponent) {
  if (coefficient == 0) return Power::none;
  return exponent == 3 ? Power::cubic : Power::any;
}

/// A spring as one of its ends sees it.
struct SpringEnd {
  std::size_t row = 0;
  std::int32_t other = on_ground;  ///< first coordinate of the other end
  const PointSpring* spring = nullptr;
};

/// Springs of one form, as their ends see them, in the order in which a row adds them up.
class RowsBuilder {
 public:
  /// `own`: first coordinates of all rows.
  RowsBuilder(Form form, bool grounded, std::span<const SpringEnd> ends, std::span<const std::int32_t> own) {
    out.form = form;
    out.grounded = grounded;
    std::vector<std::size_t> count(own.size(), 0);
    for (const SpringEnd& end : ends) ++count[end.row];
    out.first.push_back(0);
    for (std::size_t row = 0; row < own.size(); row += slice_bodies)
      out.first.push_back(out.first.back() +
                          slice_bodies *
                              *std::max_element(count.data() + row, count.data() + row + slice_bodies));
    resize(out.first.back());
    std::ranges::fill(count, 0);
    for (const SpringEnd& end : ends) {
      const std::size_t slice = end.row / slice_bodies;
      put(end, out.first[slice] + slice_bodies * count[end.row]++ + end.row % slice_bodies);
    }
    for (std::size_t row = 0; row < own.size() && !grounded; ++row) fill(row, count[row], own[row]);
  }

  SpringRows out;

 private:
  void resize(std::size_t total) {
    for (AlignedVector* column : {&out.c, &out.d, &out.length}) column->resize(total);
    if (out.form == Form::general)
      for (AlignedVector* column : {&out.C, &out.D, &out.ex, &out.ev, &out.all}) column->resize(total);
    std::ranges::fill(out.ex, 3.0);
    std::ranges::fill(out.ev, 3.0);
    if (out.grounded)
      for (AlignedVector& column : out.place) column.resize(total);
    else
      out.other.resize(total);
  }

  /// Entries behind the springs of a row look to where it looks anyway: ends that meet take longer.
  void fill(std::size_t row, std::size_t count, std::int32_t own) {
    const std::size_t first = out.first[row / slice_bodies] + row % slice_bodies;
    const std::int32_t other = count > 0 ? out.other[first] : own;
    for (std::size_t k = first + slice_bodies * count; k < out.first[row / slice_bodies + 1];
         k += slice_bodies)
      out.other[k] = other;
  }

  void put(const SpringEnd& end, std::size_t k) {
    const auto& [law, length, whole] = end.spring->spec;
    out.c[k] = law.c;
    out.length[k] = length;
    if (out.grounded)
      for (std::size_t i = 0; i < 3; ++i) out.place[i][k] = end.spring->place[static_cast<Eigen::Index>(i)];
    else
      out.other[k] = end.other;
    if (out.form != Form::general) {
      out.d[k] = law.d;
      return;
    }
    (whole ? out.all : out.d)[k] = law.d;
    out.C[k] = law.C;
    out.D[k] = law.D;
    out.ex[k] = law.ex;
    out.ev[k] = law.ev;
    out.spring = std::max(out.spring, power_of(law.C, law.ex));
    out.damper = std::max(out.damper, power_of(law.D, law.ev));
  }
};

}  // namespace

std::size_t PointSprings::slices(const Run& run) {
  return (run.bodies + slice_bodies - 1) / slice_bodies;
}

/// The row of every body.
std::vector<std::size_t> PointSprings::add_runs(std::span<const PointBody> bodies) {
  std::vector<std::size_t> row;
  for (const PointBody& body : bodies) {
    if (runs_.empty() || runs_.back().dimensions != body.dimensions) {
      Run next{.dimensions = body.dimensions};
      if (!runs_.empty()) {
        next.first = runs_.back().first + runs_.back().size();
        next.slice = runs_.back().slice + slices(runs_.back());
      }
      runs_.push_back(next);
    }
    row.push_back(runs_.back().slice * slice_bodies + runs_.back().bodies++);
  }
  return row;
}

PointSprings::PointSprings(std::span<const PointBody> bodies, std::span<const PointSpring> springs,
                           const Vec3& gravity)
    : bodies_(bodies.size()), springs_(springs.size()) {
  table_.gravity = gravity;
  const std::vector<std::size_t> row = add_runs(bodies);
  const std::size_t rows = runs_.empty() ? 0 : (runs_.back().slice + slices(runs_.back())) * slice_bodies;
  std::vector<std::int32_t> own(rows, 0);  // rows behind the end of a run are not used
  table_.mass.resize(rows);
  table_.inverse.resize(rows);
  std::int32_t coordinate = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    own[row[b]] = coordinate;
    coordinate += static_cast<std::int32_t>(bodies[b].dimensions);
    table_.mass[row[b]] = bodies[b].mass;
    table_.inverse[row[b]] = 1.0 / bodies[b].mass;
  }
  for (const bool grounded : {false, true})
    for (const Form form : {Form::whole, Form::line, Form::general}) {
      std::vector<SpringEnd> ends;
      for (const PointSpring& spring : springs) {
        if ((spring.from == on_ground || spring.to == on_ground) != grounded || form_of(spring.spec) != form)
          continue;
        for (const auto& [body, other] : {std::pair{spring.from, spring.to}, {spring.to, spring.from}})
          if (body != on_ground)
            ends.push_back({row[static_cast<std::size_t>(body)],
                            grounded ? on_ground : own[row[static_cast<std::size_t>(other)]], &spring});
      }
      if (!ends.empty()) table_.springs.push_back(RowsBuilder(form, grounded, ends, own).out);
    }
}

bool PointSprings::evaluate(const double* q, const double* v, Result result, Range range, double* out) const {
  bool finite = true;
  for (const Run& run : runs_) {
    const Range own{std::max(range.first, run.first), std::min(range.last, run.first + run.size())};
    if (own.first < own.last)
      finite &=
          evaluate_run(run, q, v, result, {own.first - run.first, own.last - run.first}, out + run.first);
  }
  return finite;
}

/// `range` and `out` begin with the run.
bool PointSprings::evaluate_run(const Run& run, const double* q, const double* v, Result result, Range range,
                                double* out) const {
  const double *const own_q = q + run.first, *const own_v = v + run.first;
  const std::size_t length = slice_bodies * run.dimensions;
  // Slices that are not asked for, or not there, as a whole go through a buffer.
  const auto part = [&](std::size_t slice) {
    constexpr std::size_t most = 3 * slice_bodies;
    alignas(64) std::array<double, most> here, moving, found;
    const std::size_t begin = slice * length;
    for (std::size_t i = 0; i < length; ++i) {
      std::size_t from = begin + i;
      if (from >= run.size()) from = run.size() - run.dimensions + i % run.dimensions;
      here[i] = own_q[from];
      moving[i] = own_v[from];
    }
    const std::size_t number = run.slice + slice;
    static_cast<void>(evaluate_slices(table_, run.dimensions, {q, v, here.data(), moving.data()}, result,
                                      {number, number + 1}, found.data()));
    const std::size_t first = std::max(begin, range.first), last = std::min(begin + length, range.last);
    std::copy(found.data() + (first - begin), found.data() + (last - begin), out + first);
    return std::all_of(out + first, out + last, [](double x) { return std::isfinite(x); });
  };
  const std::size_t first = (range.first + length - 1) / length, last = range.last / length;
  bool finite = true;
  if (range.first % length != 0) finite = part(range.first / length);
  if (first < last)
    finite &= evaluate_slices(table_, run.dimensions, {q, v, own_q + first * length, own_v + first * length},
                              result, {run.slice + first, run.slice + last}, out + first * length);
  if (last >= first && range.last % length != 0) finite &= part(last);
  return finite;
}

}  // namespace cosimo
