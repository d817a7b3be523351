// Oscillations in a course. Amplitudes and frequencies come from a least squares fit of
//
//   a + b t + c cos(2 pi f t) + s sin(2 pi f t),   weighted with sin(pi (t - t_0) / T)^4 and by time,
//
// so that an oscillation with constant frequency and amplitude is found to rounding, however many of its
// periods are in the results and wherever the outputs are; other oscillations that are k / T away disturb it
// like k^-5.
#pragma once

#include "series/course.hpp"

namespace cosimo::series {

/// Amplitude of the oscillation with this frequency, in 1/s; NaN where less than a period is in the results.
double amplitude(const Course& course, double frequency);

/// Amplitudes over frequencies, by a fast Fourier transform of the weighted course without its straight line;
/// at twice as many places as the length of the results tells apart, or some more. No points: too few
/// outputs.
Course spectrum(const Course& course);

/// Frequency of the largest oscillation; NaN where there is none.
double dominant_frequency(const Course& course);

}  // namespace cosimo::series
