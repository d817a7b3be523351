// The table of a series on disk:
//
//   variants.csv   variant, state, parameters, measures, why: equal bytes whoever ran what, and when
//   times.csv      what clocks say: wall and processor time, memory, threads, machine, processor
//   sweep.h5       both, and the curves:
//                  /id /state /results            texts, one per variant
//                  /parameters/KEY                numbers or texts; /parameter_names has the keys in order
//                  /measures/NAME                 numbers, NaN where there are none; /measure_names
//                  /curves/NAME/{t,value,first}   points of all variants one after the other; those of
//                                                 variant i begin at first[i]; /curve_names
//                  /remarks/{variant,fault,message,log}   of those that have one; variants from 1
//                  /times/{wall_s,cpu_s,memory_mb,threads,machine,cpu}
//                  /series                        [file, version]
//
// All rows are in the order of the file. Each file is written whole beside the old one and renamed.
#pragma once

#include <filesystem>

#include "cosimo/series.hpp"

namespace cosimo::series {

/// Throws IoError.
void write_table(const std::filesystem::path& folder, const SeriesData& data);

}  // namespace cosimo::series
