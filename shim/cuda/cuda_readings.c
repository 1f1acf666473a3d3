/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks NVML for the numbers of devices.
 *
 * NVML has locks of its own, and so has the dynamic linker, and both call malloc under them.  So no
 * record of a block may lead here: when the interval has passed, a reading is only due, and the
 * next call of CUDA takes it, at its end.  The library is loaded by the first such call that knows
 * a device; a process without CUDA never loads it.
 *
 * What NVML allocates and waits for is the shim's own, so the thread records nothing meanwhile.
 *
 * A reading may take milliseconds, so readings take at most a thousandth of the time.
 *
 * Source: the documentation in nvml.h of CUDA 13.5.
 * Decision: doc/decisions/readings-of-gpus.
 */
#include "cuda/cuda_readings.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "cuda/nvml_api.h"
#include "device/device.h"
#include "device/readings.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/next.h"
#include "record/budget.h"
#include "record/facts.h"
#include "record/lanes.h"
#include "record/process.h"
#include "spec/decimal.h"
#include "spec/trace.h"

/* The text of a version begins with that of CUDA.  Known: CUDA 11.8, 12.9 and 13.5, between which
 * nothing changed that is asked for here. */
enum { VERSION_FIRST = 11, VERSION_LAST = 13 };

enum { SHARE = 1000, PROCESSES = 64 };

static const uint64_t longest_pause_ns = 5000000000;

enum trace_device_readings {
#define DEVICE_READINGS(state, key, words) TRACE_READINGS_##state,
#include "spec/device_readings.def"
#undef DEVICE_READINGS
};

static struct {
#define NVML(name) void *name;
#include "cuda/nvml.def"
#undef NVML
} real;

static const struct function {
    const char *name;
    void **real;
} functions[] = {
#define NVML(name) {#name, &real.name},
#include "cuda/nvml.def"
#undef NVML
};

atomic_int cuda_readings_state;

static atomic_uint told;               /* enum trace_device_readings */
static atomic_uint_fast64_t next_ns;   /* when the next reading is due */
static int32_t owner;                  /* the process that started NVML: not its forked children */
static void *handles[DEVICES_MAX + 1]; /* of NVML, by id; NULL: not asked yet, or unknown */

/* ---- numbers -------------------------------------------------------------- */

typedef int32_t (*asker)(void *device, uint32_t *value);
typedef int32_t (*kind_asker)(void *device, int32_t kind, uint32_t *value);

static int32_t ask(void *function, void *device, uint32_t *value)
{
    return function ? ((asker)function)(device, value) : NVML_NO_FUNCTION;
}

static int32_t ask_kind(void *function, void *device, int32_t kind, uint32_t *value)
{
    return function ? ((kind_asker)function)(device, kind, value) : NVML_NO_FUNCTION;
}

static void set(struct device_readings *readings, enum trace_device_number number, int32_t status,
                uint64_t value)
{
    readings->values[number] = value;
    readings->statuses[number] = (uint16_t)status;
}

static void ask_utilisation(struct device_readings *readings, void *device)
{
    struct nvml_utilisation share = {0};
    int32_t status = ask(real.nvmlDeviceGetUtilizationRates, device, (uint32_t *)&share);

    set(readings, TRACE_DEVICE_UTILISATION, status, share.gpu);
    set(readings, TRACE_DEVICE_MEMORY_UTILISATION, status, share.memory);
    readings->most[TRACE_DEVICE_UTILISATION] = readings->most[TRACE_DEVICE_MEMORY_UTILISATION] =
        100;
}

static void ask_memory(struct device_readings *readings, void *device)
{
    struct nvml_memory memory = {0};
    int32_t status = ask(real.nvmlDeviceGetMemoryInfo, device, (void *)&memory);

    set(readings, TRACE_DEVICE_MEMORY_USED, status, memory.used);
    readings->most[TRACE_DEVICE_MEMORY_USED] = memory.total;
    readings->most[TRACE_DEVICE_MEMORY_USED_OWN] = memory.total;
}

/* In a container the driver's numbers of processes may be those outside of it. */
static void ask_own_memory(struct device_readings *readings, void *device)
{
    typedef int32_t (*lister)(void *, uint32_t *, struct nvml_process *);
    static struct nvml_process processes[PROCESSES];
    lister list = (lister)real.nvmlDeviceGetComputeRunningProcesses_v3;
    uint32_t count = PROCESSES;
    int32_t status = list ? list(device, &count, processes) : NVML_NO_FUNCTION;

    set(readings, TRACE_DEVICE_MEMORY_USED_OWN, status == NVML_SUCCEEDED ? NVML_NOT_LISTED : status,
        0);
    for (uint32_t i = 0; status == NVML_SUCCEEDED && i < count; i++)
        if (processes[i].pid == (uint32_t)owner && processes[i].used != nvml_unknown)
            set(readings, TRACE_DEVICE_MEMORY_USED_OWN, NVML_SUCCEEDED, processes[i].used);
}

static void ask_temperature(struct device_readings *readings, void *device)
{
    uint32_t value = 0, most = 0;
    int32_t status = ask_kind(real.nvmlDeviceGetTemperature, device, NVML_OF_GPU, &value);

    set(readings, TRACE_DEVICE_TEMPERATURE, status, value);
    if (ask_kind(real.nvmlDeviceGetTemperatureThreshold, device, NVML_WHERE_IT_SLOWS_DOWN, &most) ==
        NVML_SUCCEEDED)
        readings->most[TRACE_DEVICE_TEMPERATURE] = most;
}

static void ask_power(struct device_readings *readings, void *device)
{
    uint32_t value = 0, most = 0;
    int32_t status = ask(real.nvmlDeviceGetPowerUsage, device, &value);

    set(readings, TRACE_DEVICE_POWER, status, value);
    if (ask(real.nvmlDeviceGetEnforcedPowerLimit, device, &most) == NVML_SUCCEEDED)
        readings->most[TRACE_DEVICE_POWER] = most;
}

static void ask_clock(struct device_readings *readings, void *device,
                      enum trace_device_number number)
{
    int32_t kind = number == TRACE_DEVICE_CLOCK ? NVML_OF_MULTIPROCESSORS : NVML_OF_MEMORY;
    uint32_t value = 0, most = 0;
    int32_t status = ask_kind(real.nvmlDeviceGetClockInfo, device, kind, &value);

    set(readings, number, status, value);
    if (ask_kind(real.nvmlDeviceGetMaxClockInfo, device, kind, &most) == NVML_SUCCEEDED)
        readings->most[number] = most;
}

static void ask_throttle(struct device_readings *readings, void *device)
{
    uint64_t reasons = 0;
    int32_t status =
        ask(real.nvmlDeviceGetCurrentClocksThrottleReasons, device, (uint32_t *)&reasons);

    set(readings, TRACE_DEVICE_THROTTLE, status, reasons);
}

/* ---- devices -------------------------------------------------------------- */

static int32_t find_handle(uint32_t id)
{
    typedef int32_t (*finder)(const char *, void **);

    if (handles[id])
        return NVML_SUCCEEDED;
    return ((finder)real.nvmlDeviceGetHandleByUUID)(device_identity(id), &handles[id]);
}

static void ask_all(uint32_t id, struct device_readings *readings)
{
    int32_t status = find_handle(id);

    *readings = (struct device_readings){0};
    if (status != NVML_SUCCEEDED) {
        for (unsigned i = 0; i < TRACE_DEVICE_NUMBERS; i++)
            readings->statuses[i] = (uint16_t)status;
        return;
    }
    ask_utilisation(readings, handles[id]);
    ask_memory(readings, handles[id]);
    ask_own_memory(readings, handles[id]);
    ask_temperature(readings, handles[id]);
    ask_power(readings, handles[id]);
    ask_clock(readings, handles[id], TRACE_DEVICE_CLOCK);
    ask_clock(readings, handles[id], TRACE_DEVICE_MEMORY_CLOCK);
    ask_throttle(readings, handles[id]);
}

static void read_devices(void)
{
    for (uint32_t id = 1; id <= device_count_known(); id++) {
        struct device_readings readings;
        struct lane *lane;

        if (device_at(id)->api != TRACE_DEVICE_API_CUDA)
            continue;
        lane = lanes_hide();
        ask_all(id, &readings);
        lanes_show(lane);
        readings_write(id, &readings);
    }
}

/* ---- the start ------------------------------------------------------------ */

static bool is_known_version(void)
{
    typedef int32_t (*asker_of_text)(char *, uint32_t);
    asker_of_text get = (asker_of_text)real.nvmlSystemGetNVMLVersion;
    char text[NVML_VERSION_TEXT] = "";
    uint64_t version;

    if (get(text, sizeof text) != NVML_SUCCEEDED)
        return false;
    version = decimal_at(text, 0);
    return version >= VERSION_FIRST && version <= VERSION_LAST;
}

static bool is_complete(void)
{
    return real.nvmlInit_v2 && real.nvmlSystemGetNVMLVersion && real.nvmlDeviceGetHandleByUUID;
}

/* The version can be asked for before NVML has started. */
static enum trace_device_readings start_library(void)
{
    void *library = next.dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);

    if (!library)
        return TRACE_READINGS_NOT_LOADED;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        *functions[i].real = next.dlsym(library, functions[i].name);
    if (!is_complete())
        return TRACE_READINGS_INCOMPLETE;
    if (!is_known_version())
        return TRACE_READINGS_UNKNOWN_VERSION;
    return ((int32_t(*)(void))real.nvmlInit_v2)() == NVML_SUCCEEDED ? TRACE_READINGS_HAD
                                                                    : TRACE_READINGS_REFUSED;
}

static bool is_owner(void)
{
    return process_is_own() && process->pid == owner && !process_is_sandboxed();
}

/* A short program has one reading at its begin and one at its end. */
static void read_at_exit(void)
{
    int idle = CUDA_READINGS_IDLE, due = CUDA_READINGS_DUE;

    if (!process_is_recording() || !is_owner())
        return;
    if (atomic_compare_exchange_strong(&cuda_readings_state, &idle, CUDA_READINGS_BUSY) ||
        atomic_compare_exchange_strong(&cuda_readings_state, &due, CUDA_READINGS_BUSY))
        read_devices();
}

static bool start(void)
{
    struct lane *lane = lanes_hide();
    enum trace_device_readings state = start_library();

    lanes_show(lane);
    atomic_store(&told, state);
    facts_flush_now();
    if (state != TRACE_READINGS_HAD)
        return false;
    owner = process->pid;
    atexit(read_at_exit);
    return true;
}

/* ---- when ----------------------------------------------------------------- */

static bool has_device(void)
{
    for (uint32_t id = 1; id <= device_count_known(); id++)
        if (device_at(id)->api == TRACE_DEVICE_API_CUDA)
            return true;
    return false;
}

/* Returns: whether readings go on. */
static bool take(void)
{
    uint64_t start_ns = clock_monotonic(), start_ticks = clock_read(), pause_ns;

    if (atomic_load(&told) == TRACE_READINGS_UNASKED && !start())
        return false;
    if (!is_owner())
        return false;
    read_devices();
    process_add_slow_ticks(clock_read() - start_ticks);
    pause_ns = (clock_monotonic() - start_ns) * SHARE;
    if (pause_ns > longest_pause_ns)
        pause_ns = longest_pause_ns;
    if (pause_ns < budget_interval_ns())
        pause_ns = budget_interval_ns();
    atomic_store(&next_ns, clock_monotonic() + pause_ns);
    return true;
}

REALIGNED void cuda_readings_take(void)
{
    int saved_errno = errno, due = CUDA_READINGS_DUE;

    if (process_is_recording() && process_is_own() && !process_is_sandboxed() &&
        budget_interval_ns() != 0 && has_device() &&
        atomic_compare_exchange_strong(&cuda_readings_state, &due, CUDA_READINGS_BUSY))
        atomic_store(&cuda_readings_state, take() ? CUDA_READINGS_IDLE : CUDA_READINGS_OFF);
    errno = saved_errno;
}

/* The readings of the process come each interval, and with them this one. */
uint64_t cuda_readings_look_up(struct lane *lane, uint64_t now)
{
    int idle = CUDA_READINGS_IDLE;

    (void)lane;
    (void)now;
    if (atomic_load(&cuda_readings_state) == CUDA_READINGS_IDLE &&
        clock_monotonic() >= atomic_load(&next_ns))
        atomic_compare_exchange_strong(&cuda_readings_state, &idle, CUDA_READINGS_DUE);
    return UINT64_MAX;
}

bool cuda_readings_write_state(unsigned *written)
{
    return facts_update_number(written, "device_readings", atomic_load(&told));
}
