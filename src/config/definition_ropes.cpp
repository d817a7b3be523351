// Ropes and belts of the `model:` section of the table.
#include "config/choices.hpp"
#include "config/definition_parts.hpp"

namespace cosimo::config {

namespace {

Form station_form() {
  return section({
      silent("body", {name()}, "ground", "body, `body.marker` or `ground`"),
      silent_derived("at", {numbers(1, 3)}, "the reference point; of the ground the origin",
                     "end, eyelet or centre of the pulley, in space at t = 0", "length"),
      silent_derived("at_body", {numbers(1, 3)}, "the same",
                     "the same from the reference point along the reference axes", "length"),
      silent_derived("radius", {positive_number()}, "none: an end, or an eyelet",
                     "of the pulley, or of the drum that the rope ends on", "length"),
      silent_derived("around", {one_of<Around>()}, "needed with `radius`",
                     "the way about `axis` in which the rope runs from the first to the last station"),
      silent("axis", {numbers(2, 3)}, "[0, 0, 1]", "of the pulley, in space at t = 0"),
      silent("turns", {integer(0)}, "0", "whole turns around the pulley beside what the way asks for"),
      silent_derived(
          "friction", {number({.low = 0})}, "of a pulley: it does not slip at all; of an eyelet 0",
          "coefficient: it slips where one side pulls e^(friction wrap angle) times as much as the "
          "other"),
  });
}

}  // namespace

Form rope_form() {
  return section({
      required("name", {name()}, "what results and messages call it"),
      required("path", {list({station_form()}, 2)},
               "where it ends and what it passes: points, eyelets, pulleys and drums in their order"),
      silent("closed", {boolean()}, "false", "a belt: from the last station back to the first"),
      required("stiffness", {positive_number()}, "pull for each unit of strain, E A", "force"),
      silent("damping", {number({.low = 0})}, "0",
             "pull for each rate of strain; never more than the strain's", "force time"),
      silent("tension", {number({.low = 0})}, "0", "everywhere in it at t = 0", "force"),
      silent_derived("length", {positive_number()}, "as `tension` asks for",
                     "unstretched, with what lies on pulleys", "length"),
      silent("pay_out", {formula({"t"})}, "0",
             "rope that a winch at the first station has let out since t = 0, a formula of t", "length"),
      silent("breakpoints", {numbers(0)}, "[]",
             "ascending instants where `pay_out` may break; no step passes over one", "time"),
  });
}

}  // namespace cosimo::config
