// A scenario as an FMU for other tools: co-simulation, FMI 2.0 or 3.0, for 64-bit Linux.
//
//   const auto fmu = cosimo::FmuExport("car.yaml", {"model.parameters.k=2e4"}, options);
//   fmu.inputs();  fmu.outputs();  fmu.parameters();     what it shows
//   fmu.write("car.fmu", 2);
//
// The archive holds everything: the binary, the scenario and the files that it names. Wrong input throws
// Error, a disk that cannot be written IoError.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cosimo {

struct FmuOptions {
  std::filesystem::path binary;                        ///< cosimo-fmu.so; libmetis.so.5 lies beside it
  int threads = 1;                                     ///< that an instance may use
  std::function<void(const std::string&)> progress{};  ///< told what is being done
};

class FmuExport {
 public:
  struct Variable {
    std::string name;
    double start = 0;  ///< of an output: its value at the start
  };

  /// Builds the model once, to know its variables.
  FmuExport(const std::filesystem::path& file, const std::vector<std::string>& overrides,
            const FmuOptions& options);
  ~FmuExport();
  FmuExport(FmuExport&&) noexcept;
  FmuExport& operator=(FmuExport&&) noexcept;

  const std::vector<Variable>& inputs() const;
  const std::vector<Variable>& outputs() const;
  const std::vector<Variable>& parameters() const;
  /// What whoever uses the FMU should know, in a sentence each.
  const std::vector<std::string>& notes() const;

  /// Throws Error where write() could not put an FMU: known before the model is built.
  static void require_target(const std::filesystem::path& archive);
  /// Replaces an FMU of this name, but no other file. `version`: 2 or 3, of FMI.
  void write(const std::filesystem::path& archive, int version) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
