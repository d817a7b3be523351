// The operations of block LU programs in vector lanes, compiled for every instruction set and chosen when the
// program runs (Google Highway). Only products, sums and quotients, never fused: a lane gets the same bits
// whatever pack it is in.
#include "numerics/block_program.hpp"

// AVX3, AVX2, SSE4 and the baseline are enough; arrays of packs need a size that the compiler knows.
#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/block_kernels.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A pivot is exchanged for one that is that many times as large.
constexpr double far_larger = 4;

template <std::size_t W>
struct Real {
  using D = hn::CappedTag<double, W>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  using Number = V;

  HWY_INLINE V get(const double* values, std::size_t place) const {
    return hn::LoadU(D(), values + place * W);
  }
  HWY_INLINE void put(V x, double* values, std::size_t place) const {
    hn::StoreU(x, D(), values + place * W);
  }
  static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
  static HWY_INLINE V negative(V a) { return hn::Neg(a); }
  static HWY_INLINE V inverse(V a) { return hn::Div(hn::Set(D(), 1.0), a); }
  static HWY_INLINE V size(V a) { return hn::Abs(a); }
  static HWY_INLINE V choose(M mask, V yes, V no) { return hn::IfThenElse(mask, yes, no); }
};

/// Real and imaginary parts in packs of their own.
template <std::size_t W>
struct Complex {
  using D = hn::CappedTag<double, W>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  struct Number {
    V re, im;
  };

  HWY_INLINE Number get(const double* values, std::size_t place) const {
    const double* const at = values + 2 * place * W;
    return {hn::LoadU(D(), at), hn::LoadU(D(), at + W)};
  }
  HWY_INLINE void put(Number x, double* values, std::size_t place) const {
    double* const at = values + 2 * place * W;
    hn::StoreU(x.re, D(), at);
    hn::StoreU(x.im, D(), at + W);
  }
  static HWY_INLINE Number mul(Number a, Number b) {
    return {hn::Sub(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)),
            hn::Add(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
  }
  static HWY_INLINE Number add(Number a, Number b) { return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)}; }
  static HWY_INLINE Number sub(Number a, Number b) { return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)}; }
  static HWY_INLINE Number negative(Number a) { return {hn::Neg(a.re), hn::Neg(a.im)}; }
  static HWY_INLINE Number inverse(Number a) {
    const V square = hn::Add(hn::Mul(a.re, a.re), hn::Mul(a.im, a.im));
    return {hn::Div(a.re, square), hn::Div(hn::Neg(a.im), square)};
  }
  static HWY_INLINE V size(Number a) { return hn::Add(hn::Abs(a.re), hn::Abs(a.im)); }
  static HWY_INLINE Number choose(M mask, Number yes, Number no) {
    return {hn::IfThenElse(mask, yes.re, no.re), hn::IfThenElse(mask, yes.im, no.im)};
  }
};

/// A lane alone: all real parts before all imaginary ones, so that rows of blocks are packs.
struct Alone : Complex<1> {
  std::size_t apart;

  explicit Alone(std::size_t places) : apart(places) {}
  HWY_INLINE Number get(const double* values, std::size_t place) const {
    return {hn::LoadU(D(), values + place), hn::LoadU(D(), values + apart + place)};
  }
  HWY_INLINE void put(Number x, double* values, std::size_t place) const {
    hn::StoreU(x.re, D(), values + place);
    hn::StoreU(x.im, D(), values + apart + place);
  }
};

/// Neighbours in a row of a block, from `column` on: as many as a pack has, or the first few of it.
template <std::size_t Most>
struct Whole {
  using D = hn::CappedTag<double, Most>;
  using V = hn::Vec<D>;
  std::size_t column;

  HWY_INLINE V get(const double* at) const { return hn::LoadU(D(), at); }
  HWY_INLINE void put(V x, double* at) const { hn::StoreU(x, D(), at); }
};
struct Few {
  using D = hn::CappedTag<double, 8>;
  using V = hn::Vec<D>;
  std::size_t column;
  hn::Mask<D> which;

  HWY_INLINE V get(const double* at) const { return hn::MaskedLoad(which, D(), at); }
  HWY_INLINE void put(V x, double* at) const { hn::BlendedStore(x, which, D(), at); }
};

template <std::size_t Most, class Function>
HWY_INLINE std::size_t whole_packs(std::size_t column, std::size_t n, const Function& f) {
  for (const std::size_t lanes = hn::Lanes(hn::CappedTag<double, Most>()); column + lanes <= n;
       column += lanes)
    f(Whole<Most>{column});
  return column;
}

/// Calls f with the packs that cover n columns; others are not written, they may be another thread's.
template <class Function>
HWY_INLINE void over_columns(std::size_t n, const Function& f) {
  using D = hn::CappedTag<double, 8>;
  if constexpr (hn::MaxLanes(D()) == 8) {
    f(Few{0, hn::FirstN(D(), n)});
  } else {
    whole_packs<1>(whole_packs<2>(whole_packs<4>(0, n, f), n, f), n, f);
  }
}

/// The numbers of a lane alone, packs of columns at a time.
template <class Pack>
struct RealRows {
  using V = typename Pack::V;
  using Number = V;
  Pack pack;

  HWY_INLINE RealRows(Pack columns, std::size_t /*apart*/) : pack(columns) {}
  HWY_INLINE Number get(const double* at) const { return pack.get(at + pack.column); }
  HWY_INLINE void put(Number x, double* at) const { pack.put(x, at + pack.column); }
  HWY_INLINE Number same(const double* at) const { return hn::Set(typename Pack::D(), *at); }
  static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
};
template <class Pack>
struct ComplexRows {
  using V = typename Pack::V;
  struct Number {
    V re, im;
  };
  Pack pack;
  std::size_t apart;

  HWY_INLINE ComplexRows(Pack columns, std::size_t places) : pack(columns), apart(places) {}
  HWY_INLINE Number get(const double* at) const {
    return {pack.get(at + pack.column), pack.get(at + apart + pack.column)};
  }
  HWY_INLINE void put(Number x, double* at) const {
    pack.put(x.re, at + pack.column);
    pack.put(x.im, at + apart + pack.column);
  }
  HWY_INLINE Number same(const double* at) const {
    return {hn::Set(typename Pack::D(), *at), hn::Set(typename Pack::D(), at[apart])};
  }
  static HWY_INLINE Number mul(Number a, Number b) {
    return {hn::Sub(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)),
            hn::Add(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
  }
  static HWY_INLINE Number add(Number a, Number b) { return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)}; }
  static HWY_INLINE Number sub(Number a, Number b) { return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)}; }
};

template <std::size_t K, class F>
HWY_INLINE void subtract(const LuOp& op, const F f, const F g, const double* a, const double* b,
                         double* target) {
  for (std::size_t i = 0; i < op.m; ++i) {
    typename F::Number row[K];
    for (std::size_t l = 0; l < K; ++l) row[l] = f.get(a, op.a + i * K + l);
    for (std::size_t j = 0; j < op.n; ++j) {
      auto sum = F::mul(row[0], g.get(b, op.b + j));
      for (std::size_t l = 1; l < K; ++l) sum = F::add(sum, F::mul(row[l], g.get(b, op.b + l * op.n + j)));
      const std::size_t place = op.target + i * op.n + j;
      g.put(F::sub(g.get(target, place), sum), target, place);
    }
  }
}

template <std::size_t K, class F>
HWY_INLINE void scale(const LuOp& op, const F f, double* blocks) {
  for (std::size_t i = 0; i < op.m; ++i) {
    typename F::Number row[K];
    for (std::size_t l = 0; l < K; ++l) row[l] = f.get(blocks, op.target + i * K + l);
    for (std::size_t j = 0; j < K; ++j) {
      auto sum = F::mul(row[0], f.get(blocks, op.a + j));
      for (std::size_t l = 1; l < K; ++l) sum = F::add(sum, F::mul(row[l], f.get(blocks, op.a + l * K + j)));
      f.put(sum, blocks, op.target + i * K + j);
    }
  }
}

/// The same two with the same bits, row by row of a lane alone.
template <std::size_t K, template <class> class Rows>
HWY_INLINE void subtract_rows(const LuOp& op, std::size_t apart, double* blocks) {
  over_columns(op.n, [&](auto pack) HWY_ATTR {
    using R = Rows<decltype(pack)>;
    const R rows(pack, apart);
    typename R::Number b[K];
    for (std::size_t l = 0; l < K; ++l) b[l] = rows.get(blocks + op.b + l * op.n);
    const double* a = blocks + op.a;
    double* target = blocks + op.target;
    for (std::size_t i = 0; i < op.m; ++i, a += K, target += op.n) {
      auto sum = R::mul(rows.same(a), b[0]);
      for (std::size_t l = 1; l < K; ++l) sum = R::add(sum, R::mul(rows.same(a + l), b[l]));
      rows.put(R::sub(rows.get(target), sum), target);
    }
  });
}

template <std::size_t K, template <class> class Rows>
HWY_INLINE void scale_rows(const LuOp& op, std::size_t apart, double* blocks) {
  double* target = blocks + op.target;
  for (std::size_t i = 0; i < op.m; ++i, target += K) {
    double old[2 * K] = {};  // all of a row is read before any of it is written
    for (std::size_t l = 0; l < K; ++l) old[l] = target[l];
    for (std::size_t l = 0; apart > 0 && l < K; ++l) old[K + l] = target[apart + l];
    over_columns(K, [&](auto pack) HWY_ATTR {
      using R = Rows<decltype(pack)>;
      const R rows(pack, apart), copied(pack, K);
      auto sum = R::mul(copied.same(old), rows.get(blocks + op.a));
      for (std::size_t l = 1; l < K; ++l)
        sum = R::add(sum, R::mul(copied.same(old + l), rows.get(blocks + op.a + l * K)));
      rows.put(sum, target);
    });
  }
}

template <std::size_t K, class F>
HWY_INLINE void apply(const LuOp& op, const F f, const F g, const double* blocks, double* rows) {
  typename F::Number x[K];
  for (std::size_t l = 0; l < K; ++l) x[l] = g.get(rows, op.target + l);
  for (std::size_t i = 0; i < K; ++i) {
    auto sum = F::mul(f.get(blocks, op.a + i * K), x[0]);
    for (std::size_t l = 1; l < K; ++l) sum = F::add(sum, F::mul(f.get(blocks, op.a + i * K + l), x[l]));
    g.put(sum, rows, op.target + i);
  }
}

/// By Gauss and Jordan, in place. Lanes exchange rows each for itself; what they exchanged as rows are
/// columns of the inverse.
template <std::size_t K, class F>
HWY_INLINE void invert(const LuOp& op, const F f, double* blocks) {
  typename F::Number A[K][K];
  typename F::M exchanged[K][K];
  bool any[K][K] = {};
  for (std::size_t i = 0; i < K; ++i)
    for (std::size_t j = 0; j < K; ++j) A[i][j] = f.get(blocks, op.a + i * K + j);
  const auto swap = [](typename F::M mask, typename F::Number& x, typename F::Number& y) HWY_ATTR {
    const typename F::Number old = x;
    x = F::choose(mask, y, x);
    y = F::choose(mask, old, y);
  };
  for (std::size_t j = 0; j < K; ++j) {
    for (std::size_t i = j + 1; i < K; ++i) {
      exchanged[j][i] =
          hn::Gt(F::size(A[i][j]), hn::Mul(hn::Set(typename F::D(), far_larger), F::size(A[j][j])));
      any[j][i] = !hn::AllFalse(typename F::D(), exchanged[j][i]);
      for (std::size_t l = 0; any[j][i] && l < K; ++l) swap(exchanged[j][i], A[i][l], A[j][l]);
    }
    const typename F::Number pivot = F::inverse(A[j][j]);
    for (std::size_t l = 0; l < K; ++l)
      if (l != j) A[j][l] = F::mul(A[j][l], pivot);
    for (std::size_t i = 0; i < K; ++i) {
      if (i == j) continue;
      const typename F::Number factor = A[i][j];
      for (std::size_t l = 0; l < K; ++l)
        if (l != j) A[i][l] = F::sub(A[i][l], F::mul(factor, A[j][l]));
      A[i][j] = F::negative(F::mul(factor, pivot));
    }
    A[j][j] = pivot;
  }
  for (std::size_t j = K; j-- > 0;)
    for (std::size_t i = K; i-- > j + 1;)
      for (std::size_t l = 0; any[j][i] && l < K; ++l) swap(exchanged[j][i], A[l][i], A[l][j]);
  for (std::size_t i = 0; i < K; ++i)
    for (std::size_t j = 0; j < K; ++j) f.put(A[i][j], blocks, op.a + i * K + j);
}

/// Calls f(size) with the size of the blocks as a constant of the compiler.
template <class Function>
HWY_INLINE void with_size(std::uint8_t k, const Function& f) {
  switch (k) {
    case 1:
      return f(std::integral_constant<std::size_t, 1>());
    case 2:
      return f(std::integral_constant<std::size_t, 2>());
    case 3:
      return f(std::integral_constant<std::size_t, 3>());
    case 4:
      return f(std::integral_constant<std::size_t, 4>());
    case 5:
      return f(std::integral_constant<std::size_t, 5>());
    default:
      return f(std::integral_constant<std::size_t, 6>());
  }
}

template <class F, std::size_t W>
void factor_lanes(const LuOp* first, const LuOp* last, double* values) {
  const std::size_t lanes = hn::Lanes(typename F::D());
  for (std::size_t lane = 0; lane < W; lane += lanes) {
    double* const blocks = values + lane;
    for (const LuOp* op = first; op != last; ++op)
      with_size(op->k, [&](auto k) HWY_ATTR {
        const F f{};
        switch (op->kind) {
          case LuKind::invert:
            return invert<k, F>(*op, f, blocks);
          case LuKind::scale:
            return scale<k, F>(*op, f, blocks);
          default:
            return subtract<k, F>(*op, f, f, blocks, blocks, blocks);
        }
      });
  }
}

template <class F, template <class> class Rows>
void factor_alone(const LuOp* first, const LuOp* last, const F f, std::size_t apart, double* blocks) {
  for (const LuOp* op = first; op != last; ++op)
    with_size(op->k, [&](auto k) HWY_ATTR {
      switch (op->kind) {
        case LuKind::invert:
          return invert<k, F>(*op, f, blocks);
        case LuKind::scale:
          return scale_rows<k, Rows>(*op, apart, blocks);
        default:
          return subtract_rows<k, Rows>(*op, apart, blocks);
      }
    });
}

template <class F, std::size_t W>
void solve_lanes(const LuOp* first, const LuOp* last, const F f, const F g, const double* values,
                 double* all_rows) {
  const std::size_t lanes = hn::Lanes(typename F::D());
  for (std::size_t lane = 0; lane < W; lane += lanes) {
    const double* const blocks = values + lane;
    double* const rows = all_rows + lane;
    for (const LuOp* op = first; op != last; ++op)
      with_size(op->k, [&](auto k) HWY_ATTR {
        if (op->kind == LuKind::apply) return apply<k, F>(*op, f, g, blocks, rows);
        return subtract<k, F>(*op, f, g, blocks, rows, rows);
      });
  }
}

template <template <std::size_t> class F>
void factor_wide(const LuOp* first, const LuOp* last, std::size_t width, double* blocks) {
  switch (width) {
    case 8:
      return factor_lanes<F<8>, 8>(first, last, blocks);
    case 4:
      return factor_lanes<F<4>, 4>(first, last, blocks);
    default:
      return factor_lanes<F<2>, 2>(first, last, blocks);
  }
}

template <template <std::size_t> class F>
void solve_wide(const LuOp* first, const LuOp* last, std::size_t width, const double* blocks, double* rows) {
  switch (width) {
    case 8:
      return solve_lanes<F<8>, 8>(first, last, {}, {}, blocks, rows);
    case 4:
      return solve_lanes<F<4>, 4>(first, last, {}, {}, blocks, rows);
    default:
      return solve_lanes<F<2>, 2>(first, last, {}, {}, blocks, rows);
  }
}

void factor(Field field, const LuOp* first, const LuOp* last, const LuShape& shape, double* blocks) {
  if (shape.width > 1) {
    if (field == Field::real) return factor_wide<Real>(first, last, shape.width, blocks);
    return factor_wide<Complex>(first, last, shape.width, blocks);
  }
  if (field == Field::real) return factor_alone<Real<1>, RealRows>(first, last, {}, 0, blocks);
  factor_alone<Alone, ComplexRows>(first, last, Alone(shape.places), shape.places, blocks);
}

void solve(Field field, const LuOp* first, const LuOp* last, const LuShape& shape, const double* blocks,
           double* rows) {
  if (shape.width > 1) {
    if (field == Field::real) return solve_wide<Real>(first, last, shape.width, blocks, rows);
    return solve_wide<Complex>(first, last, shape.width, blocks, rows);
  }
  if (field == Field::real) return solve_lanes<Real<1>, 1>(first, last, {}, {}, blocks, rows);
  solve_lanes<Alone, 1>(first, last, Alone(shape.places), Alone(shape.rows), blocks, rows);
}

}  // namespace
}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(factor);
HWY_EXPORT(solve);

void run_factor(Field field, std::span<const LuOp> ops, const LuShape& shape, double* blocks) {
  HWY_DYNAMIC_DISPATCH(factor)(field, ops.data(), ops.data() + ops.size(), shape, blocks);
}

void run_solve(Field field, std::span<const LuOp> ops, const LuShape& shape, const double* blocks,
               double* rows) {
  HWY_DYNAMIC_DISPATCH(solve)(field, ops.data(), ops.data() + ops.size(), shape, blocks, rows);
}

}  // namespace cosimo
#endif
