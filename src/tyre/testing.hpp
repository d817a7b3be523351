// Tyres and wheels for the tests of this module.
#pragma once

#include "mechanics/builder.hpp"
#include "tyre/tyre_element.hpp"

namespace cosimo::tyre::testing {

constexpr double radius = 0.3;

/// A road whose normal is z turned about y (downhill along x) and about x.
inline Marker road(const Mat3& axes = Mat3::Identity(), const Vec3& point = Vec3::Zero()) {
  Marker out;
  out.point = point;
  out.axes = axes;
  return out;
}

inline Spec brush() {
  Spec spec;
  spec.radius = radius;
  spec.stiffness = 2e5;
  spec.damping = 50;
  spec.slow = 1;
  spec.model = Brush{.friction = 0.9, .tread = 5e6, .patch = 0.06, .load = 4000, .rolling = 0.012};
  return spec;
}

/// Made up. Only what the simplest formula needs.
inline MagicFormula simple_formula() {
  MagicFormula m;
  m.radius = radius;
  m.load = 4000;
  m.longvl = 16.7;
  m.stiffness = 2e5;
  m.pcx1 = 1.6;
  m.pdx1 = 1.1;
  m.pex1 = 0.2;
  m.pkx1 = 22;
  m.ptx1 = 1.5;
  m.rbx1 = 12;
  m.rcx1 = 1.05;
  m.pcy1 = 1.3;
  m.pdy1 = 1.0;
  m.pey1 = -0.8;
  m.pky1 = -18;
  m.pky2 = 1.8;
  m.pty1 = 1.4;
  m.pty2 = 1.6;
  m.rby1 = 10;
  m.rcy1 = 1.04;
  m.qbz1 = 9;
  m.qcz1 = 1.1;
  m.qdz1 = 0.1;
  return m;
}

/// Everything acts.
inline MagicFormula full_formula(bool later) {
  MagicFormula m = simple_formula();
  m.later = later;
  m.breff = 8;
  m.dreff = 0.25;
  m.freff = 0.02;
  m.pressure = 0.1;
  m.pdx2 = -0.08;
  m.pdx3 = 4;
  m.pex2 = 0.1;
  m.pex3 = -0.05;
  m.pex4 = 0.1;
  m.pkx2 = 0.3;
  m.pkx3 = 0.2;
  m.phx1 = 0.002;
  m.phx2 = 0.001;
  m.pvx1 = 0.01;
  m.pvx2 = -0.003;
  m.rbx2 = 10;
  m.rbx3 = 2;
  m.rex1 = -0.4;
  m.rhx1 = 0.004;
  m.ptx2 = 0.3;
  m.ptx3 = 0.1;
  m.ppx1 = -0.3;
  m.ppx3 = -0.1;
  m.pdy2 = -0.1;
  m.pdy3 = 3;
  m.pey2 = -0.3;
  m.pey3 = 0.1;
  m.pey4 = -2;
  m.pky3 = 0.3;
  m.pky6 = -0.9;
  m.pky7 = -0.2;
  m.phy1 = 0.003;
  m.phy2 = 0.001;
  m.phy3 = 0.03;
  m.pvy1 = 0.02;
  m.pvy3 = -0.2;
  m.ppy1 = -0.5;
  m.ppy3 = -0.1;
  m.rby2 = 7;
  m.rby3 = 0.01;
  m.rey1 = 0.2;
  m.rhy1 = 0.005;
  m.rvy1 = 0.03;
  m.rvy3 = -0.2;
  m.rvy4 = 15;
  m.rvy5 = 1.9;
  m.rvy6 = -20;
  m.qbz2 = -1;
  m.qbz5 = -0.2;
  m.qbz9 = 15;
  m.qbz10 = 0.1;
  m.qdz2 = -0.01;
  m.qdz3 = 0.5;
  m.qdz4 = -3;
  m.qdz6 = 0.001;
  m.qdz8 = -0.1;
  m.qdz10 = 0.3;
  m.qez1 = -1.5;
  m.qez4 = 0.3;
  m.qhz1 = 0.005;
  m.qhz3 = 0.1;
  m.ssz1 = 0.01;
  m.ssz2 = 0.02;
  m.ssz3 = 0.2;
  m.qsx1 = 0.01;
  m.qsx2 = 1;
  m.qsx3 = 0.03;
  m.qsx4 = 0.1;
  m.qsx5 = 0.5;
  m.qsx6 = 1;
  m.qsx7 = 0.8;
  m.qsx8 = 0.6;
  m.qsx9 = 0.4;
  m.qsx10 = 0.3;
  m.qsx11 = 0.7;
  m.qsy1 = 0.01;
  m.qsy2 = 0.05;
  m.qsy3 = 0.001;
  m.qsy4 = 0.001;
  m.qsy5 = 0.2;
  m.qsy7 = 0.9;
  m.qsy8 = -0.4;
  m.fz = {200, 9000};
  return m;
}

inline Spec pacejka(const MagicFormula& formula) {
  Spec spec = brush();
  spec.model = formula;
  return spec;
}

/// Along +x over a flat road: the axle is y.
inline Marker on_wheel(BodyId body) {
  Marker out;
  out.body = body;
  out.axes = axes_along(Vec3::UnitY());
  return out;
}

inline Frame rolling(double p, double v, double spin) {
  Frame out;
  out.r.z() = radius - p;
  out.v.x() = v;
  out.w.y() = spin;
  return out;
}

}  // namespace cosimo::tyre::testing
