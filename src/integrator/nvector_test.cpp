#include "integrator/nvector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "integrator/nvector_archive.hpp"

namespace cosimo {
namespace {

using Plain = std::vector<double>;  // 2n numbers without padding

class Space {
 public:
  explicit Space(std::size_t dofs) : n_(dofs), context_(make_context()), space_(dofs, context_) {}
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  ~Space() {
    for (N_Vector v : vectors_) N_VDestroy(v);
    SUNContext_Free(&context_);
  }

  N_Vector make(const Plain& values) {
    vectors_.push_back(space_.make());
    set(vectors_.back(), values);
    return vectors_.back();
  }
  void set(N_Vector x, const Plain& values) {
    double* out = write(x);
    std::copy_n(values.data(), n_, out);
    std::copy_n(values.data() + n_, n_, out + space_.layout().stride);
  }
  Plain get(N_Vector x) const {
    const double* in = read(x);
    Plain out(in, in + n_);
    out.insert(out.end(), in + space_.layout().stride, in + space_.layout().stride + n_);
    return out;
  }
  bool padding_is_zero(N_Vector x) const {
    const double* in = read(x);
    const std::size_t stride = space_.layout().stride;
    for (std::size_t i = n_; i < stride; ++i)
      if (in[i] != 0 || in[stride + i] != 0) return false;
    return true;
  }
  VectorSpace& vectors() { return space_; }
  std::size_t dofs() const { return n_; }

 private:
  static SUNContext make_context() {
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    return context;
  }
  std::size_t n_;
  SUNContext context_;
  VectorSpace space_;
  std::vector<N_Vector> vectors_;
};

Plain random_values(std::size_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Plain out(n);
  for (double& x : out) x = uniform(engine);
  return out;
}

template <class F>
Plain each(const Plain& x, F f) {
  Plain z(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) z[i] = f(i);
  return z;
}

void expect_near(const Plain& got, const Plain& want, double tolerance = 1e-13) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], want[i], tolerance * (1 + std::abs(want[i]))) << "element " << i;
}

double plain_wrms(const Plain& x, const Plain& w) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) s += x[i] * w[i] * x[i] * w[i];
  return std::sqrt(s / static_cast<double>(x.size()));
}

class NVectorSizes : public ::testing::TestWithParam<std::size_t> {
 protected:
  Space space{GetParam()};
  Plain x = random_values(2 * GetParam(), 1), y = random_values(2 * GetParam(), 2);
  N_Vector vx = space.make(x), vy = space.make(y), vz = space.make(random_values(2 * GetParam(), 3));

  void expect_value(N_Vector v, const Plain& want) {
    expect_near(space.get(v), want);
    EXPECT_TRUE(space.padding_is_zero(v));
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes, NVectorSizes, ::testing::Values(1, 3, 8, 13, 64, 1001));

TEST_P(NVectorSizes, LinearSumWithEveryAliasingAndSpecialFactor) {
  for (double a : {1.0, -1.0, 0.0, 0.7}) {
    for (double b : {1.0, -1.0, 0.0, -2.5}) {
      N_VLinearSum(a, vx, b, vy, vz);
      expect_value(vz, each(x, [&](std::size_t i) { return a * x[i] + b * y[i]; }));
      N_Vector u = space.make(x);
      N_VLinearSum(a, u, b, vy, u);  // z == x
      expect_value(u, each(x, [&](std::size_t i) { return a * x[i] + b * y[i]; }));
      space.set(u, y);
      N_VLinearSum(a, vx, b, u, u);  // z == y
      expect_value(u, each(x, [&](std::size_t i) { return a * x[i] + b * y[i]; }));
      space.set(u, x);
      N_VLinearSum(a, u, b, u, u);  // all the same
      expect_value(u, each(x, [&](std::size_t i) { return (a + b) * x[i]; }));
    }
  }
  expect_value(vx, x);
  expect_value(vy, y);
}

TEST_P(NVectorSizes, ScaleSharesAndNeverDisturbsTheOther) {
  for (double c : {1.0, -1.0, 0.0, 3.25}) {
    N_VScale(c, vx, vz);
    space.set(vx, y);  // writing the source leaves the copy alone
    expect_value(vz, each(x, [&](std::size_t i) { return c * x[i]; }));
    space.set(vx, x);
    N_VScale(c, vx, vz);
    space.set(vz, y);  // and the other way round
    expect_value(vx, x);
  }
  N_VScale(-2, vx, vx);
  N_VScale(0.5, vx, vx);
  expect_value(vx, each(x, [&](std::size_t i) { return -x[i]; }));
}

TEST_P(NVectorSizes, ElementwiseOperations) {
  const auto both = [&](auto operation, const Plain& want) {
    operation(vx, vz);
    expect_value(vz, want);
    N_Vector u = space.make(x);
    operation(u, u);
    expect_value(u, want);
  };
  both([](N_Vector in, N_Vector out) { N_VAbs(in, out); }, each(x, [&](auto i) { return std::abs(x[i]); }));
  both([](N_Vector in, N_Vector out) { N_VInv(in, out); }, each(x, [&](auto i) { return 1 / x[i]; }));
  both([](N_Vector in, N_Vector out) { N_VAddConst(in, 0.3, out); },
       each(x, [&](auto i) { return x[i] + 0.3; }));
  both([&](N_Vector in, N_Vector out) { N_VProd(in, vy, out); },
       each(x, [&](auto i) { return x[i] * y[i]; }));
  both([&](N_Vector in, N_Vector out) { N_VDiv(in, vy, out); }, each(x, [&](auto i) { return x[i] / y[i]; }));
  N_VConst(0.0, vz);
  expect_value(vz, Plain(x.size(), 0.0));
  N_VConst(-4.5, vz);
  expect_value(vz, Plain(x.size(), -4.5));
}

TEST_P(NVectorSizes, Reductions) {
  double smallest = x[0], largest = 0, dot = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    smallest = std::min(smallest, x[i]);
    largest = std::max(largest, std::abs(x[i]));
    dot += x[i] * y[i];
  }
  EXPECT_EQ(N_VMin(vx), smallest);
  EXPECT_EQ(N_VMaxNorm(vx), largest);
  EXPECT_NEAR(N_VDotProd(vx, vy), dot, 1e-12 * static_cast<double>(x.size()));
  EXPECT_NEAR(N_VWrmsNorm(vx, vy), plain_wrms(x, y), 1e-12);
  N_VLinearSum(2, vx, -1, vy, vz);  // the norm of a sum that was never stored
  EXPECT_NEAR(N_VWrmsNorm(vz, vy), plain_wrms(each(x, [&](auto i) { return 2 * x[i] - y[i]; }), y), 1e-12);
  EXPECT_EQ(static_cast<std::size_t>(N_VGetLength(vx)), x.size());
}

TEST_P(NVectorSizes, LinearCombinationOfMoreTermsThanFit) {
  std::vector<N_Vector> terms;
  std::vector<Plain> plain;
  std::vector<double> c;
  Plain want(x.size(), 0.0);
  for (unsigned j = 0; j < 13; ++j) {
    plain.push_back(random_values(x.size(), 100 + j));
    terms.push_back(space.make(plain.back()));
    c.push_back(0.5 * j - 2);
    for (std::size_t i = 0; i < x.size(); ++i) want[i] += c[j] * plain[j][i];
    N_VLinearCombination(static_cast<int>(j) + 1, c.data(), terms.data(), vz);
    expect_value(vz, want);
  }
  N_VLinearCombination(3, c.data(), terms.data(), terms[0]);  // z == X[0], as SUNDIALS allows
  expect_value(terms[0],
               each(x, [&](auto i) { return c[0] * plain[0][i] + c[1] * plain[1][i] + c[2] * plain[2][i]; }));
}

TEST_P(NVectorSizes, ArrayOperations) {
  std::vector<N_Vector> xs, ys, zs;
  std::vector<Plain> p, q;
  std::vector<double> c{2.0, 1.0, -0.5};
  for (unsigned j = 0; j < 3; ++j) {
    p.push_back(random_values(x.size(), 10 + j));
    q.push_back(random_values(x.size(), 20 + j));
    xs.push_back(space.make(p[j]));
    ys.push_back(space.make(q[j]));
    zs.push_back(space.make(x));
  }
  N_VLinearSumVectorArray(3, 0.5, xs.data(), 2.0, ys.data(), zs.data());
  for (std::size_t j = 0; j < 3; ++j)
    expect_value(zs[j], each(x, [&](auto i) { return 0.5 * p[j][i] + 2 * q[j][i]; }));
  N_VScaleVectorArray(3, c.data(), xs.data(), xs.data());
  for (std::size_t j = 0; j < 3; ++j) expect_value(xs[j], each(x, [&](auto i) { return c[j] * p[j][i]; }));
  N_VScaleAddMulti(3, c.data(), vx, ys.data(), zs.data());
  for (std::size_t j = 0; j < 3; ++j)
    expect_value(zs[j], each(x, [&](auto i) { return c[j] * x[i] + q[j][i]; }));
}

// phi_k += e, phi_{k-1} += phi_k, ...: the update that IDA does after every step, with factors
// pending on some rows and others held by a snapshot.
TEST_P(NVectorSizes, ChainOfSums) {
  for (int count = 1; count <= 6; ++count) {
    std::vector<N_Vector> rows;
    std::vector<Plain> plain;
    for (int j = 0; j < count; ++j) {
      plain.push_back(random_values(x.size(), 50 + static_cast<unsigned>(j)));
      rows.push_back(space.make(plain.back()));
    }
    N_VScale(0.25, rows.back(), rows.back());
    for (double& v : plain.back()) v *= 0.25;
    const VectorValue kept = share(rows[0]);
    const Plain before = plain[0];
    std::vector<N_Vector> add{vx};
    add.insert(add.end(), rows.begin(), rows.end() - 1);
    Plain sum = x;
    for (Plain& row : plain) {
      for (std::size_t i = 0; i < x.size(); ++i) sum[i] = row[i] += sum[i];
    }
    N_VLinearSumVectorArray(count, 1, rows.data(), 1, add.data(), rows.data());
    for (std::size_t j = 0; j < rows.size(); ++j) expect_value(rows[j], plain[j]);
    expect_value(vx, x);
    assign(vz, kept);
    expect_value(vz, before);
  }
}

TEST_P(NVectorSizes, ErrorWeightsAndTheirNorm) {
  const std::size_t n = GetParam();
  ASSERT_TRUE(set_error_weights(vx, vz, 1e-3, 1e-5, 1e-4));
  const Plain want = each(x, [&](auto i) { return 1 / (1e-3 * std::abs(x[i]) + (i < n ? 1e-5 : 1e-4)); });
  expect_value(vz, want);
  const double remembered = N_VWrmsNorm(vx, vz);
  EXPECT_NEAR(remembered, plain_wrms(x, want), 1e-10 * remembered);
  N_VScale(-3, vx, vy);  // what is remembered goes with the array, not with the factor
  EXPECT_NEAR(N_VWrmsNorm(vy, vz), 3 * remembered, 1e-10 * remembered);
  space.set(vx, y);  // and not with the vector
  EXPECT_NEAR(N_VWrmsNorm(vx, vz), plain_wrms(y, want), 1e-10 * remembered);
  ASSERT_TRUE(set_error_weights(vx, vz, 1e-2, 1e-5, 1e-4));
  EXPECT_GT(std::abs(N_VWrmsNorm(vy, vz) - 3 * remembered), 1e-3 * remembered);
  N_VConst(0.0, vx);
  EXPECT_FALSE(set_error_weights(vx, vz, 1e-3, 0, 1e-4));
}

TEST_P(NVectorSizes, ReadingPieceByPieceGivesTheSameBits) {
  N_VLinearSum(0.3, vx, 0.7, vy, vz);
  N_Vector u = space.make(x);
  N_VScale(1, vz, u);
  Reading reading(vz);
  const std::size_t stride = space.vectors().layout().stride;
  for (std::size_t first = 0; first < stride; first += 8) reading.compute(first, first + 8);
  reading.finish();
  EXPECT_EQ(space.get(vz), each(x, [&](auto i) { return 0.3 * x[i] + 0.7 * y[i]; }));
  EXPECT_EQ(read(vz), read(u));  // computed once for both
}

// Thousands of random operations on vectors that share arrays, against plain arrays.
TEST(NVector, RandomProgramsAgreeWithPlainArrays) {
  constexpr std::size_t n = 11, vectors = 8;
  Space space(n);
  std::mt19937 engine(99);
  const auto pick = [&](std::size_t m) {
    return std::uniform_int_distribution<std::size_t>(0, m - 1)(engine);
  };
  const auto factor = [&] { return std::uniform_real_distribution<double>(-0.6, 0.6)(engine); };
  std::vector<Plain> plain;
  std::vector<N_Vector> ours;
  for (unsigned j = 0; j < vectors; ++j) {
    plain.push_back(random_values(2 * n, j));
    ours.push_back(space.make(plain.back()));
  }
  std::size_t arrays = 0;
  for (int operation = 0; operation < 20000; ++operation) {
    const std::size_t i = pick(vectors), j = pick(vectors), k = pick(vectors);
    const double a = factor(), b = pick(4) == 0 ? 0.0 : factor();
    switch (pick(7)) {
      case 0:
      case 1:
        N_VLinearSum(a, ours[i], b, ours[j], ours[k]);
        plain[k] = each(plain[k], [&, x = plain[i], y = plain[j]](auto e) { return a * x[e] + b * y[e]; });
        break;
      case 2:
        N_VScale(a, ours[i], ours[k]);
        plain[k] = each(plain[k], [&, x = plain[i]](auto e) { return a * x[e]; });
        break;
      case 3: {
        const double norm = plain_wrms(plain[i], plain[j]);
        ASSERT_NEAR(N_VWrmsNorm(ours[i], ours[j]), norm, 1e-12 * (1 + norm));
        break;
      }
      case 4:
        plain[k] = random_values(2 * n, static_cast<unsigned>(operation));
        space.set(ours[k], plain[k]);
        break;
      case 5: {
        std::vector<std::size_t> order(vectors);
        for (std::size_t m = 0; m < vectors; ++m) order[m] = m;
        std::shuffle(order.begin(), order.end(), engine);
        std::vector<N_Vector> x{ours[order[1]], ours[order[2]]}, y{ours[order[0]], ours[order[1]]};
        N_VLinearSumVectorArray(2, 1, x.data(), 1, y.data(), x.data());
        for (std::size_t e = 0; e < 2 * n; ++e) {
          plain[order[1]][e] += plain[order[0]][e];
          plain[order[2]][e] += plain[order[1]][e];
        }
        for (std::size_t m : {order[1], order[2]}) {  // keep the numbers of order one
          N_VScale(0.25, ours[m], ours[m]);
          for (double& value : plain[m]) value *= 0.25;
        }
        break;
      }
      default:
        expect_near(space.get(ours[k]), plain[k], 1e-12);
    }
    if (operation == 10000) arrays = space.vectors().arrays();
  }
  for (std::size_t k = 0; k < vectors; ++k) expect_near(space.get(ours[k]), plain[k], 1e-12);
  EXPECT_LE(space.vectors().arrays(), arrays) << "dead arrays are not used again";
  space.vectors().rethrow_failure();
}

/// Values come back from bytes, and share arrays where they did.
TEST(NVector, ValuesThatShareAnArrayStillDoAfterwards) {
  Space from(5), to(5);
  const Plain a{1, 2, 3, 4, 5, 6, 7, 8, 9, 0.1}, b{0, -1, 0.5, 3, 2, 1, 7, 1, 1, 1e-300};
  const N_Vector x = from.make(a), y = from.make(b), third = from.make(b), zero = from.make(a);
  N_VScale(1.0 / 3, x, third);
  N_VConst(0, zero);
  Archive out;
  ValueArchive saved(from.vectors(), out);
  for (const N_Vector each : {x, y, third, zero}) {
    VectorValue value = share(each);
    saved(value);
  }
  const auto bytes = out.take();
  Archive in(bytes);
  ValueArchive loaded(to.vectors(), in);
  std::vector<VectorValue> values(4);
  for (VectorValue& value : values) loaded(value);
  in.finish();
  EXPECT_TRUE(values[0].array == values[2].array);
  EXPECT_FALSE(values[0].array == values[1].array);
  EXPECT_FALSE(values[3].array);
  const std::vector<N_Vector> originals{x, y, third, zero};
  for (std::size_t k = 0; k < 4; ++k) {
    const N_Vector z = to.make(a);
    assign(z, values[k]);
    EXPECT_EQ(to.get(z), from.get(originals[k])) << k;
  }
}

}  // namespace
}  // namespace cosimo
