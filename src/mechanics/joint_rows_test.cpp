#include "mechanics/joint_rows.hpp"

#include <gtest/gtest.h>

#include "mechanics/testing.hpp"

namespace cosimo {
namespace {

using Origin = JointVector::Origin;

/// Every product of two vectors, those too that no joint uses.
std::vector<BilinearRow> all_rows() {
  std::vector<JointVector> vectors{{Origin::difference, 0}};
  for (const Origin origin : {Origin::global, Origin::from, Origin::to})
    for (std::uint8_t k = 0; k < 3; ++k) vectors.push_back({origin, k});
  std::vector<BilinearRow> rows;
  for (const JointVector& u : vectors)
    for (const JointVector& v : vectors) rows.push_back({u, v, 0.7, 0.3});
  return rows;
}

struct Scene {
  Frame from, to;
  Marker at_from, at_to;
  PairView view() const { return view_pair(from, to, at_from, at_to); }
};

Scene random_scene(testing::Rng& rng) {
  return {testing::random_frame(rng), testing::random_frame(rng), testing::random_marker(rng, BodyId(0)),
          testing::random_marker(rng, BodyId(1))};
}

/// Derivatives with respect to the displacements of both bodies.
template <class Function>
Eigen::MatrixXd differences(const Scene& scene, Eigen::Index rows, const Function& function) {
  Eigen::MatrixXd out(rows, 12);
  Scene moved = scene;
  out.leftCols<6>() = testing::frame_derivative(scene.from, 6, rows, [&](const Frame& f) {
    moved = scene;
    moved.from = f;
    return Eigen::VectorXd(function(moved.view()));
  });
  out.rightCols<6>() = testing::frame_derivative(scene.to, 6, rows, [&](const Frame& f) {
    moved = scene;
    moved.to = f;
    return Eigen::VectorXd(function(moved.view()));
  });
  return out;
}

TEST(JointRows, DerivativesAreThoseOfTheProduct) {
  testing::Rng rng(11);
  for (const BilinearRow& row : all_rows()) {
    const Scene scene = random_scene(rng);
    const PairView pair = scene.view();
    const auto h = [&](const PairView& p) { return Eigen::VectorXd::Constant(1, value(row, p)); };
    const Eigen::MatrixXd J = gradient(row, pair).transpose();
    EXPECT_LT(testing::relative_difference(J, differences(scene, 1, h)), 1e-8);
    const auto slope = [&](const PairView& p) { return gradient(row, p); };
    EXPECT_LT(testing::relative_difference(hessian(row, pair), differences(scene, 12, slope)), 1e-8);
    EXPECT_NEAR(curvature(row, pair), pair.twist.dot(hessian(row, pair) * pair.twist), 1e-12);
  }
}

TEST(JointRows, DoNotDependOnWhereTheGlobalAxesAre) {
  // Rows without a global axis are the same for bodies that are moved and turned together.
  testing::Rng rng(12);
  const Mat3 Q = testing::random_rotation(rng);
  const Vec3 shift = testing::random_vector(rng);
  for (const BilinearRow& row : all_rows()) {
    if (row.u.origin == Origin::global || row.v.origin == Origin::global) continue;
    const Scene scene = random_scene(rng);
    Scene moved = scene;
    for (Frame* f : {&moved.from, &moved.to}) *f = {shift + Q * f->r, Q * f->R, Q * f->v, Q * f->w};
    EXPECT_NEAR(value(row, scene.view()), value(row, moved.view()), 1e-13);
    EXPECT_NEAR(curvature(row, scene.view()), curvature(row, moved.view()), 1e-12);
  }
}

TEST(JointRows, KnowLengthsFromAngles) {
  EXPECT_TRUE((BilinearRow{{Origin::from, 0}, {Origin::difference, 0}}.is_length()));
  EXPECT_FALSE((BilinearRow{{Origin::from, 0}, {Origin::to, 0}}.is_length()));
}

TEST(BodyList, HoldsEachBodyOnceAndNeverTheGround) {
  BodyList bodies;
  EXPECT_EQ(bodies.slot(BodyId(7)), 0);
  EXPECT_EQ(bodies.slot(ground), BodyList::no_slot);
  EXPECT_EQ(bodies.slot(BodyId(3)), 1);
  EXPECT_EQ(bodies.slot(BodyId(7)), 0);
  ASSERT_EQ(bodies.ids().size(), 2U);
  EXPECT_EQ(bodies.ids()[1], BodyId(3));
}

}  // namespace
}  // namespace cosimo
