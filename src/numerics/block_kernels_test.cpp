#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>

#include "core/aligned.hpp"
#include "numerics/block_program.hpp"
#include "numerics/pack_choice.hpp"

namespace cosimo {
namespace {

constexpr std::size_t lanes = 8;

double random_number(std::mt19937_64& rng) {
  return 2 * (static_cast<double>(rng() >> 11U) * 0x1.0p-53) - 1;
}

/// What is not a number has no sign that processors agree on.
std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
}

struct Lists {
  std::vector<LuOp> factor, solve;
  std::size_t places = 0, rows = 0;
};

/// Every operation on blocks of every size.
Lists all_operations() {
  Lists out;
  for (std::uint8_t k = 1; k <= largest_block; ++k) {
    const auto m = static_cast<std::uint8_t>(1 + k % 6), n = static_cast<std::uint8_t>(1 + 5 * k % 6);
    const auto first = static_cast<std::uint32_t>(out.places), row = static_cast<std::uint32_t>(out.rows);
    const auto lower = first + k * k, upper = lower + m * k, corner = upper + k * n;
    out.factor.push_back({LuKind::invert, k, 0, 0, first, 0, 0});
    out.factor.push_back({LuKind::scale, k, m, 0, first, 0, lower});
    out.factor.push_back({LuKind::subtract, k, m, n, lower, upper, corner});
    out.solve.push_back({LuKind::apply, k, 0, 0, first, 0, row});
    out.solve.push_back({LuKind::subtract, k, m, 1, lower, row, row + k});
    out.places = corner + std::size_t{m} * n;
    out.rows += std::size_t{k} + m;
  }
  return out;
}

/// Each lane gets the same bits for itself, in packs of two, four and eight, and with the instructions of any
/// machine; also where only some lanes exchange their pivots.
TEST(BlockKernels, LanesGetTheSameBitsInAnyPack) {
  const Lists lists = all_operations();
  std::mt19937_64 rng(2);
  for (const Field field : {Field::real, Field::complex}) {
    const std::size_t each = field == Field::real ? 1 : 2;
    std::vector<AlignedVector> blocks, rows;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      blocks.emplace_back(each * lists.places);
      rows.emplace_back(each * lists.rows);
      for (AlignedVector* list : {&blocks.back(), &rows.back()})
        for (double& x : *list) x = random_number(rng) * (rng() % 4 == 0 ? 1e-3 : 1);
    }
    // Of a lane alone all real parts come first; in company they take turns with the imaginary ones.
    const auto place_of = [&](std::size_t p, std::size_t size, std::size_t width) {
      return each == 1 || width == 1 ? p : 2 * (p % (size / 2)) + p / (size / 2);
    };
    const auto side_by_side = [&](const std::vector<AlignedVector>& single, std::size_t width) {
      AlignedVector out(width * single[0].size());
      for (std::size_t p = 0; p < single[0].size(); ++p)
        for (std::size_t lane = 0; lane < width; ++lane)
          out[place_of(p, single[0].size(), width) * width + lane] = single[lane][p];
      return out;
    };
    const auto run = [&](std::size_t width, AlignedVector& b, AlignedVector& x) {
      const LuShape shape{width, lists.places, lists.rows};
      run_factor(field, lists.factor, shape, b.data());
      run_solve(field, lists.solve, shape, b.data(), x.data());
    };
    std::vector<AlignedVector> expected_blocks = blocks, expected_rows = rows;
    for (std::size_t lane = 0; lane < lanes; ++lane) run(1, expected_blocks[lane], expected_rows[lane]);
    for (const std::string& processor : pack_choices()) {
      choose_packs(processor);
      for (const std::size_t width : {1U, 2U, 4U, 8U}) {
        AlignedVector b = side_by_side(blocks, width), x = side_by_side(rows, width);
        run(width, b, x);
        for (std::size_t lane = 0; lane < width; ++lane) {
          for (std::size_t p = 0; p < each * lists.places; ++p)
            ASSERT_EQ(bits_of(b[place_of(p, each * lists.places, width) * width + lane]),
                      bits_of(expected_blocks[lane][p]))
                << processor << width;
          for (std::size_t p = 0; p < each * lists.rows; ++p)
            ASSERT_EQ(bits_of(x[place_of(p, each * lists.rows, width) * width + lane]),
                      bits_of(expected_rows[lane][p]))
                << processor << width;
        }
      }
    }
    choose_packs();
  }
}

/// Blocks with nothing on the diagonal: the product with the inverse is the unit matrix.
TEST(BlockKernels, BlocksAreInvertedWithPivots) {
  using Complex = std::complex<double>;
  std::mt19937_64 rng(5);
  for (std::uint8_t k = 2; k <= largest_block; ++k) {
    const std::vector<LuOp> ops{{LuKind::invert, k, 0, 0, 0, 0, 0}};
    for (int turn = 0; turn < 50; ++turn) {
      std::vector<Complex> A(std::size_t{k} * k);
      for (std::size_t p = 0; p < A.size(); ++p)
        if (p / k != p % k) A[p] = {random_number(rng), random_number(rng)};
      for (const Field field : {Field::real, Field::complex}) {
        const std::size_t each = field == Field::real ? 1 : 2;
        AlignedVector numbers(each * A.size());
        for (std::size_t p = 0; p < A.size(); ++p) {
          numbers[p] = A[p].real();
          if (each == 2) numbers[A.size() + p] = A[p].imag();
        }
        run_factor(field, ops, {1, A.size(), 0}, numbers.data());
        double largest = 1, error = 0;
        for (std::size_t i = 0; i < k; ++i)
          for (std::size_t j = 0; j < k; ++j) {
            Complex sum = i == j ? -1 : 0;
            for (std::size_t l = 0; l < k; ++l) {
              const double* const x = numbers.data() + (l * k + j);
              const Complex inverse = each == 1 ? Complex(x[0]) : Complex(x[0], x[A.size()]);
              sum += (each == 1 ? Complex(A[i * k + l].real()) : A[i * k + l]) * inverse;
              largest = std::max(largest, std::abs(inverse));
            }
            error = std::max(error, std::abs(sum));
          }
        EXPECT_LT(error, 1e-13 * largest) << int{k} << ' ' << turn;
      }
    }
  }
}

}  // namespace
}  // namespace cosimo
