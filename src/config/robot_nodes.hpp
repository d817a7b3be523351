// Nodes of the tree that a robot becomes. Private to config/.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "config/number.hpp"
#include "config/robot.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config::robot {

inline Node scalar(std::string text, Position position) {
  Node out;
  out.kind = Node::Kind::scalar;
  out.text = std::move(text);
  out.position = position;
  return out;
}

inline Node scalar(double value, Position position) {
  return scalar(number_text(value + 0.0), position);
}

inline Node list(Position position, std::initializer_list<double> values) {
  Node out;
  out.kind = Node::Kind::list;
  out.position = position;
  for (const double value : values) out.items.push_back(scalar(value, position));
  return out;
}

inline Node list(Position position, const Vec3& v) {
  return list(position, {v.x(), v.y(), v.z()});
}

inline Node map(Position position) {
  Node out;
  out.kind = Node::Kind::map;
  out.position = position;
  return out;
}

inline Node entry(const std::string& name, std::string_view kind, Position position) {
  Node out = map(position);
  put_key(out, "name", scalar(name, position));
  put_key(out, "kind", scalar(std::string(kind), position));
  return out;
}

inline Node orientation(const Mat3& R, Position position) {
  const Eigen::Quaterniond p(R);
  Node out = map(position);
  put_key(out, "quaternion", list(position, {p.w(), p.x(), p.y(), p.z()}));
  return out;
}

}  // namespace cosimo::config::robot
