// The C interface of FMI 3.0 as its standard defines it (Sections 2.2, 3.2, 4.2): types, and the type of
// every function of model exchange and co-simulation that a binary may export, clocks and scheduled execution
// left out. Import and export use the same declarations.
#pragma once

#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(modernize-use-using): as the standard writes them
extern "C" {

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time,
                                               fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                               fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                               fmi3Boolean* early_return_requested,
                                               fmi3Float64* early_return_time);

// All interfaces.
typedef const char* fmi3GetVersionTYPE(void);
typedef fmi3Status fmi3SetDebugLoggingTYPE(fmi3Instance, fmi3Boolean on, size_t n,
                                           const fmi3String categories[]);
typedef fmi3Instance fmi3InstantiateModelExchangeTYPE(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean visible, fmi3Boolean logging,
                                                      fmi3InstanceEnvironment, fmi3LogMessageCallback);
typedef fmi3Instance fmi3InstantiateCoSimulationTYPE(fmi3String name, fmi3String token, fmi3String resources,
                                                     fmi3Boolean visible, fmi3Boolean logging,
                                                     fmi3Boolean event_mode_used,
                                                     fmi3Boolean early_return_allowed,
                                                     const fmi3ValueReference required_intermediate[],
                                                     size_t n, fmi3InstanceEnvironment,
                                                     fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
typedef void fmi3FreeInstanceTYPE(fmi3Instance);
typedef fmi3Status fmi3EnterInitializationModeTYPE(fmi3Instance, fmi3Boolean tolerance_defined,
                                                   fmi3Float64 tolerance, fmi3Float64 start,
                                                   fmi3Boolean stop_defined, fmi3Float64 stop);
typedef fmi3Status fmi3ExitInitializationModeTYPE(fmi3Instance);
typedef fmi3Status fmi3EnterEventModeTYPE(fmi3Instance);
typedef fmi3Status fmi3TerminateTYPE(fmi3Instance);
typedef fmi3Status fmi3ResetTYPE(fmi3Instance);
typedef fmi3Status fmi3EnterConfigurationModeTYPE(fmi3Instance);
typedef fmi3Status fmi3ExitConfigurationModeTYPE(fmi3Instance);

#define FMI3_ACCESS(Name, Value)                                                                            \
  typedef fmi3Status fmi3Get##Name##TYPE(fmi3Instance, const fmi3ValueReference[], size_t n, Value[],       \
                                         size_t n_values);                                                  \
  typedef fmi3Status fmi3Set##Name##TYPE(fmi3Instance, const fmi3ValueReference[], size_t n, const Value[], \
                                         size_t n_values);
FMI3_ACCESS(Float32, fmi3Float32)
FMI3_ACCESS(Float64, fmi3Float64)
FMI3_ACCESS(Int8, fmi3Int8)
FMI3_ACCESS(UInt8, fmi3UInt8)
FMI3_ACCESS(Int16, fmi3Int16)
FMI3_ACCESS(UInt16, fmi3UInt16)
FMI3_ACCESS(Int32, fmi3Int32)
FMI3_ACCESS(UInt32, fmi3UInt32)
FMI3_ACCESS(Int64, fmi3Int64)
FMI3_ACCESS(UInt64, fmi3UInt64)
FMI3_ACCESS(Boolean, fmi3Boolean)
FMI3_ACCESS(String, fmi3String)
#undef FMI3_ACCESS
typedef fmi3Status fmi3GetBinaryTYPE(fmi3Instance, const fmi3ValueReference[], size_t n, size_t sizes[],
                                     fmi3Binary[], size_t n_values);
typedef fmi3Status fmi3SetBinaryTYPE(fmi3Instance, const fmi3ValueReference[], size_t n, const size_t sizes[],
                                     const fmi3Binary[], size_t n_values);

typedef fmi3Status fmi3GetFMUStateTYPE(fmi3Instance, fmi3FMUState*);
typedef fmi3Status fmi3SetFMUStateTYPE(fmi3Instance, fmi3FMUState);
typedef fmi3Status fmi3FreeFMUStateTYPE(fmi3Instance, fmi3FMUState*);
typedef fmi3Status fmi3SerializedFMUStateSizeTYPE(fmi3Instance, fmi3FMUState, size_t*);
typedef fmi3Status fmi3SerializeFMUStateTYPE(fmi3Instance, fmi3FMUState, fmi3Byte[], size_t);
typedef fmi3Status fmi3DeserializeFMUStateTYPE(fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState*);
typedef fmi3Status fmi3GetDirectionalDerivativeTYPE(fmi3Instance, const fmi3ValueReference unknowns[],
                                                    size_t n_unknowns, const fmi3ValueReference knowns[],
                                                    size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
                                                    fmi3Float64 sensitivity[], size_t n_sensitivity);
typedef fmi3Status fmi3UpdateDiscreteStatesTYPE(fmi3Instance, fmi3Boolean* again, fmi3Boolean* terminate,
                                                fmi3Boolean* nominals_changed, fmi3Boolean* values_changed,
                                                fmi3Boolean* next_event_defined, fmi3Float64* next_event);

// Model exchange.
typedef fmi3Status fmi3EnterContinuousTimeModeTYPE(fmi3Instance);
typedef fmi3Status fmi3CompletedIntegratorStepTYPE(fmi3Instance, fmi3Boolean no_state_set_before,
                                                   fmi3Boolean* event, fmi3Boolean* terminate);
typedef fmi3Status fmi3SetTimeTYPE(fmi3Instance, fmi3Float64);
typedef fmi3Status fmi3SetContinuousStatesTYPE(fmi3Instance, const fmi3Float64[], size_t);
typedef fmi3Status fmi3GetContinuousStateDerivativesTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetEventIndicatorsTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetContinuousStatesTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetNominalsOfContinuousStatesTYPE(fmi3Instance, fmi3Float64[], size_t);
typedef fmi3Status fmi3GetNumberOfEventIndicatorsTYPE(fmi3Instance, size_t*);
typedef fmi3Status fmi3GetNumberOfContinuousStatesTYPE(fmi3Instance, size_t*);

// Co-simulation.
typedef fmi3Status fmi3EnterStepModeTYPE(fmi3Instance);
typedef fmi3Status fmi3GetOutputDerivativesTYPE(fmi3Instance, const fmi3ValueReference[], size_t n,
                                                const fmi3Int32 orders[], fmi3Float64[], size_t n_values);
typedef fmi3Status fmi3DoStepTYPE(fmi3Instance, fmi3Float64 t, fmi3Float64 size,
                                  fmi3Boolean no_state_set_before, fmi3Boolean* event_needed,
                                  fmi3Boolean* terminate, fmi3Boolean* early_return,
                                  fmi3Float64* last_successful_time);

}  // extern "C"
// NOLINTEND(modernize-use-using)
