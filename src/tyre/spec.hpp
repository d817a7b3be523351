// What a tyre is made of: numbers alone.
#pragma once

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "mechanics/elements.hpp"

namespace cosimo::tyre {

/// Bristles of one stiffness in all directions under a parabola of pressure (tyre/brush-inl.hpp).
struct Brush {
  double friction = 1;
  double tread = 0;  ///< stiffness of the bristles, force for each length of patch and of deflection
  double patch = 0;  ///< half of the length of the patch at `load`; it grows with the root of the load
  double load = 1;
  double rolling = 0;  ///< coefficient of rolling resistance
};

/// A pair of limits.
struct Range {
  double low, high;
};

/// Pacejka's Magic Formula (tyre/magic_formula-inl.hpp). Coefficients have the names of the files.
struct MagicFormula {
  bool later = false;  ///< MF-Tyre 6.0 to 6.2 instead of 5.2
  double radius = 1, load = 1, longvl = 1;
  double pressure = 0;                                  ///< relative increase against the nominal one
  double stiffness = 0, longitudinal = 0, lateral = 0;  ///< of the standing tyre; zero: not given
  double breff = 0, dreff = 0, freff = 0, q_re0 = 1;
  Range fz{0, 1e30}, kappa{-1e30, 1e30}, alpha{-1e30, 1e30}, gamma{-1e30, 1e30};

  double lfzo = 1, lcx = 1, lmux = 1, lex = 1, lkx = 1, lhx = 1, lvx = 1, lgax = 1, lxal = 1;
  double lcy = 1, lmuy = 1, ley = 1, lky = 1, lhy = 1, lvy = 1, lgay = 1, lkyc = 1, lyka = 1, lvyka = 1;
  double ltr = 1, lres = 1, lgaz = 1, lkzc = 1, ls = 1, lmx = 1, lvmx = 1, lmy = 1, lsgkp = 1, lsgal = 1;

  double pcx1 = 0, pdx1 = 0, pdx2 = 0, pdx3 = 0, pex1 = 0, pex2 = 0, pex3 = 0, pex4 = 0;
  double pkx1 = 0, pkx2 = 0, pkx3 = 0, phx1 = 0, phx2 = 0, pvx1 = 0, pvx2 = 0;
  double ppx1 = 0, ppx2 = 0, ppx3 = 0, ppx4 = 0;
  double rbx1 = 0, rbx2 = 0, rbx3 = 0, rcx1 = 0, rex1 = 0, rex2 = 0, rhx1 = 0;
  double ptx1 = 0, ptx2 = 0, ptx3 = 0;

  double pcy1 = 0, pdy1 = 0, pdy2 = 0, pdy3 = 0, pey1 = 0, pey2 = 0, pey3 = 0, pey4 = 0, pey5 = 0;
  double pky1 = 0, pky2 = 0, pky3 = 0, pky4 = 2, pky5 = 0, pky6 = 0, pky7 = 0;
  double phy1 = 0, phy2 = 0, phy3 = 0, pvy1 = 0, pvy2 = 0, pvy3 = 0, pvy4 = 0;
  double ppy1 = 0, ppy2 = 0, ppy3 = 0, ppy4 = 0, ppy5 = 0;
  double rby1 = 0, rby2 = 0, rby3 = 0, rby4 = 0, rcy1 = 0, rey1 = 0, rey2 = 0, rhy1 = 0, rhy2 = 0;
  double rvy1 = 0, rvy2 = 0, rvy3 = 0, rvy4 = 0, rvy5 = 0, rvy6 = 0;
  double pty1 = 0, pty2 = 1;

  double qbz1 = 0, qbz2 = 0, qbz3 = 0, qbz4 = 0, qbz5 = 0, qbz6 = 0, qbz9 = 0, qbz10 = 0, qcz1 = 0;
  double qdz1 = 0, qdz2 = 0, qdz3 = 0, qdz4 = 0, qdz6 = 0, qdz7 = 0, qdz8 = 0, qdz9 = 0, qdz10 = 0, qdz11 = 0;
  double qez1 = 0, qez2 = 0, qez3 = 0, qez4 = 0, qez5 = 0, qhz1 = 0, qhz2 = 0, qhz3 = 0, qhz4 = 0;
  double ppz1 = 0, ppz2 = 0, ssz1 = 0, ssz2 = 0, ssz3 = 0, ssz4 = 0;

  double qsx1 = 0, qsx2 = 0, qsx3 = 0, qsx4 = 0, qsx5 = 0, qsx6 = 0, qsx7 = 0, qsx8 = 0, qsx9 = 0;
  double qsx10 = 0, qsx11 = 0, ppmx1 = 0;
  double qsy1 = 0, qsy2 = 0, qsy3 = 0, qsy4 = 0, qsy5 = 0, qsy6 = 0, qsy7 = 0, qsy8 = 0;
};

struct Spec {
  double radius = 1;                      ///< unloaded
  double stiffness = 0, progressive = 0;  ///< radial force = stiffness p + progressive p^2, p the deflection
  /// Instead of both: (deflection, force), the first (0, 0).
  std::vector<std::array<double, 2>> points{};
  double damping = 0;  ///< force per rate of deflection
  /// Speed below which a tyre behaves as one that stands (tyre/tyre_element.hpp).
  double slow = 1;
  std::optional<std::array<double, 2>> relaxation{};  ///< lengths, along and across; absent: of the model
  bool mirrored = false;  ///< on the other side of the vehicle than the model was measured for
  std::variant<Brush, MagicFormula> model{};
  /// Along the axes of the marker on the ground: x along the road, z upwards.
  Road road{};
  bool planar = false;  ///< for pictures: y is up
};

}  // namespace cosimo::tyre
