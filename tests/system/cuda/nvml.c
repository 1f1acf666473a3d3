/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stand-in for libnvidia-ml.so.1.  What it tells of a device it also writes to nvml.log, a line a
 * number: the device, the quantity, its value.  NVML_VERSION is the version that it tells.
 *
 * From the environment: NVML_GPU in percent, NVML_USED in MiB of 1024, NVML_HEAT in degrees,
 * NVML_THROTTLE; NVML_LACKS: a quantity that the device does not have.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, MIB = 1 << 20 };
enum { DEVICES = 2, TOTAL_MIB = 1024 };

#ifndef NVML_VERSION
#define NVML_VERSION "13.580.65"
#endif

struct utilisation {
    unsigned gpu, memory;
};

struct memory {
    unsigned long long total, free, used;
};

struct process {
    unsigned pid;
    unsigned long long used;
    unsigned instance, compute_instance;
};

struct device {
    int index;
};

static struct device devices[DEVICES] = {{0}, {1}};
static bool is_started;
static void *kept; /* NVML keeps memory of its own */

static unsigned number(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);

    return text ? (unsigned)atoi(text) : otherwise;
}

static bool lacks(const char *quantity)
{
    const char *text = getenv("NVML_LACKS");

    return text && strcmp(text, quantity) == 0;
}

static int tell(const struct device *device, const char *quantity, unsigned long long value)
{
    FILE *log;

    if (!is_started || lacks(quantity))
        return NOT_SUPPORTED;
    log = fopen("nvml.log", "a");
    if (!log)
        abort();
    fprintf(log, "Stand-in %d %s %llu\n", device->index, quantity, value);
    fclose(log);
    return SUCCESS;
}

int nvmlInit_v2(void)
{
    is_started = true;
    kept = malloc(123456);
    return getenv("NVML_REFUSES") ? NOT_SUPPORTED : SUCCESS;
}

int nvmlSystemGetNVMLVersion(char *text, unsigned size)
{
    snprintf(text, size, "%s", NVML_VERSION);
    return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, struct device **device)
{
    static const char *const known[DEVICES] = {"GPU-10101010-1010-1010-1010-101010101010",
                                               "GPU-11111111-1111-1111-1111-111111111111"};

    for (int i = 0; i < DEVICES; i++)
        if (strcmp(known[i], uuid) == 0) {
            *device = &devices[i];
            return SUCCESS;
        }
    return NOT_FOUND;
}

int nvmlDeviceGetUtilizationRates(const struct device *device, struct utilisation *share)
{
    *share = (struct utilisation){number("NVML_GPU", 87), 41};
    if (tell(device, "utilisation", share->gpu) != SUCCESS)
        return NOT_SUPPORTED;
    return tell(device, "memory_utilisation", share->memory);
}

int nvmlDeviceGetMemoryInfo(const struct device *device, struct memory *memory)
{
    memory->total = (unsigned long long)TOTAL_MIB * MIB;
    memory->used = (unsigned long long)number("NVML_USED", 512) * MIB;
    memory->free = memory->total - memory->used;
    return tell(device, "memory_used", memory->used);
}

int nvmlDeviceGetComputeRunningProcesses_v3(const struct device *device, unsigned *count,
                                            struct process *processes)
{
    if (*count < 2)
        return INVALID_ARGUMENT;
    processes[0] = (struct process){1, 7 * MIB, 0, 0};
    processes[1] = (struct process){(unsigned)getpid(), 300ULL * MIB, 0, 0};
    *count = 2;
    return tell(device, "memory_used_own", processes[1].used);
}

/* It becomes hotter with each reading. */
int nvmlDeviceGetTemperature(const struct device *device, int sensor, unsigned *degrees)
{
    static unsigned readings[DEVICES];

    if (sensor != 0)
        return INVALID_ARGUMENT;
    *degrees = number("NVML_HEAT", 60 + readings[device->index]++ % 20);
    return tell(device, "temperature", *degrees);
}

int nvmlDeviceGetTemperatureThreshold(const struct device *device, int kind, unsigned *degrees)
{
    (void)device;
    *degrees = kind == 1 ? 90 : 95;
    return SUCCESS;
}

int nvmlDeviceGetPowerUsage(const struct device *device, unsigned *milliwatts)
{
    *milliwatts = 300000 + 1000 * (unsigned)device->index;
    return tell(device, "power", *milliwatts);
}

int nvmlDeviceGetEnforcedPowerLimit(const struct device *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 700000;
    return SUCCESS;
}

int nvmlDeviceGetClockInfo(const struct device *device, int kind, unsigned *megahertz)
{
    *megahertz = kind == 1 ? 1410 : 2619;
    return tell(device, kind == 1 ? "clock" : "memory_clock", *megahertz);
}

#ifndef NVML_LACKS_FUNCTION
int nvmlDeviceGetMaxClockInfo(const struct device *device, int kind, unsigned *megahertz)
{
    (void)device;
    *megahertz = kind == 1 ? 1980 : 2619;
    return SUCCESS;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(const struct device *device,
                                              unsigned long long *reasons)
{
    *reasons = number("NVML_THROTTLE", 0);
    return tell(device, "throttle", *reasons);
}
#endif
