/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compares what shim/cuda/nvml_api.h says with NVIDIA's header.  It is only compiled.
 */
#include <nvml.h>
#include <stddef.h>

#include "cuda/nvml_api.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
#define FIELD(ours, field, theirs, name)                                                           \
    _Static_assert(offsetof(ours, field) == offsetof(theirs, name) &&                              \
                       sizeof(((ours *)0)->field) == sizeof(((theirs *)0)->name),                  \
                   #ours "." #field)

SAME(NVML_SUCCEEDED, NVML_SUCCESS);
SAME(NVML_NO_FUNCTION, NVML_ERROR_FUNCTION_NOT_FOUND);
SAME(NVML_NOT_LISTED, NVML_ERROR_NOT_FOUND);
SAME(NVML_OF_MULTIPROCESSORS, NVML_CLOCK_SM);
SAME(NVML_OF_MEMORY, NVML_CLOCK_MEM);
SAME(NVML_OF_GPU, NVML_TEMPERATURE_GPU);
SAME(NVML_WHERE_IT_SLOWS_DOWN, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);
SAME(NVML_VERSION_TEXT, NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE);
_Static_assert(nvmlClocksThrottleReasonGpuIdle == 0x1 &&
                   nvmlClocksThrottleReasonSwPowerCap == 0x4 &&
                   nvmlClocksThrottleReasonHwSlowdown == 0x8 &&
                   nvmlClocksThrottleReasonSwThermalSlowdown == 0x20 &&
                   nvmlClocksThrottleReasonHwThermalSlowdown == 0x40 &&
                   nvmlClocksThrottleReasonHwPowerBrakeSlowdown == 0x80,
               "as in analyzer/devices/throttles.def");
SAME(sizeof(struct nvml_utilisation), sizeof(nvmlUtilization_t));
SAME(sizeof(struct nvml_memory), sizeof(nvmlMemory_t));
SAME(sizeof(struct nvml_process), sizeof(nvmlProcessInfo_t));

FIELD(struct nvml_utilisation, gpu, nvmlUtilization_t, gpu);
FIELD(struct nvml_utilisation, memory, nvmlUtilization_t, memory);
FIELD(struct nvml_memory, total, nvmlMemory_t, total);
FIELD(struct nvml_memory, free, nvmlMemory_t, free);
FIELD(struct nvml_memory, used, nvmlMemory_t, used);
FIELD(struct nvml_process, pid, nvmlProcessInfo_t, pid);
FIELD(struct nvml_process, used, nvmlProcessInfo_t, usedGpuMemory);

/* The prototypes that the shim calls. */
static nvmlReturn_t (*const by_uuid)(const char *, nvmlDevice_t *) = nvmlDeviceGetHandleByUUID;
static nvmlReturn_t (*const rates)(nvmlDevice_t,
                                   nvmlUtilization_t *) = nvmlDeviceGetUtilizationRates;
static nvmlReturn_t (*const memory)(nvmlDevice_t, nvmlMemory_t *) = nvmlDeviceGetMemoryInfo;
static nvmlReturn_t (*const processes)(nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *) =
    nvmlDeviceGetComputeRunningProcesses_v3;
static nvmlReturn_t (*const temperature)(nvmlDevice_t, nvmlTemperatureSensors_t,
                                         unsigned int *) = nvmlDeviceGetTemperature;
static nvmlReturn_t (*const threshold)(nvmlDevice_t, nvmlTemperatureThresholds_t,
                                       unsigned int *) = nvmlDeviceGetTemperatureThreshold;
static nvmlReturn_t (*const power)(nvmlDevice_t, unsigned int *) = nvmlDeviceGetPowerUsage;
static nvmlReturn_t (*const limit)(nvmlDevice_t, unsigned int *) = nvmlDeviceGetEnforcedPowerLimit;
static nvmlReturn_t (*const clock)(nvmlDevice_t, nvmlClockType_t,
                                   unsigned int *) = nvmlDeviceGetClockInfo;
static nvmlReturn_t (*const most)(nvmlDevice_t, nvmlClockType_t,
                                  unsigned int *) = nvmlDeviceGetMaxClockInfo;
static nvmlReturn_t (*const throttle)(nvmlDevice_t, unsigned long long *) =
    nvmlDeviceGetCurrentClocksThrottleReasons;
static nvmlReturn_t (*const version)(char *, unsigned int) = nvmlSystemGetNVMLVersion;
static nvmlReturn_t (*const init)(void) = nvmlInit_v2;
