/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of a session: their modules, bindings and calls.
 */
#ifndef MODEL_SESSION_KERNELS_H
#define MODEL_SESSION_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "spec/catalog.h"
#include "spec/trace.h"

struct session;

struct session_module {
    struct trace_module fact;
    uint32_t gone_epoch; /* the first epoch without the module; UINT32_MAX: it stayed */
    const char *path;
    char build_id[72]; /* in hexadecimal; empty when there is none */
};

struct session_binding {
    const struct catalog_kernel *kernel;
    const char *symbol;
    const struct session_module *module; /* the module of the real function, or NULL */
    uint64_t target;
    uint64_t wrapper; /* address of the shim's code that calls it; 0 when unknown */
    uint64_t calls;   /* calls of all slots */
    uint64_t timed_calls;
};

struct session_hook {
    const char *symbol;
    const struct session_module *module;   /* the module of these slots */
    const struct session_binding *binding; /* NULL when not hooked */
    uint32_t slots;
    enum trace_hook_outcome outcome;
};

/* The calls of one kernel with one shape from one place, region and thread.  The kernel may come
 * from an object among the arguments; then it differs from the binding's. */
struct session_slot {
    uint32_t binding;                    /* index in bindings */
    const struct catalog_kernel *kernel; /* its shape, FLOPs and bytes are used; or NULL */
    const char *implementation;          /* its name in the library, or NULL */
    uint32_t thread;
    uint32_t region;
    uint32_t op;    /* index in ops: the innermost around it */
    bool nested;    /* inside a kernel that owns the FLOPs */
    uint8_t doublings; /* durations_ns has a random one in 2^doublings of its recorded calls */
    bool has_estimated_calls; /* in a window, by recorded ones */
    bool is_sequel; /* continues a like slot, which has the warm-up */
    bool is_on_device; /* its calls asked a device for the work, and did not wait for it */
    uint64_t site;
    unsigned dims; /* values of the shape, in the order of the kernel's terms */
    int64_t shape[CATALOG_SHAPE_MAX];
    uint64_t calls;
    uint64_t recorded_calls;    /* calls with a record; missing ones were the first */
    uint64_t timed_calls;       /* fewer than calls if the timing is sampled; total and self are
                                   then estimates */
    uint64_t interrupted_calls; /* timed calls that represent only themselves, like the first, if
                                   others are untimed */
    uint64_t total_ns;
    uint64_t self_ns;      /* without inner kernels */
    uint64_t estimated_ns; /* the untimed calls' part of the total */
    double total_error_ns; /* standard error of the total; 0: exact; NAN: unknown, as too few calls
                              were timed, or their records are gone */
    uint64_t min_ns;
    uint64_t max_ns;
    long double flops_each; /* NAN when unknown */
    long double bytes_each;
    struct array durations_ns; /* uint64_t, of the remaining events, or of drawn ones */
    struct array around;       /* of struct session_around, for a nested slot, by its events */
};

/* The nearest outer slot of the same work around calls of a nested slot. */
struct session_around {
    uint32_t slot; /* SESSION_NONE: any slot of other work */
    uint64_t ns;   /* time of the nested calls */
};

/* Returns: nanoseconds of our own cost in the time of each call of a slot. */
double session_inner_cost_ns(const struct session *session, const struct session_slot *slot);

/* Subtract tprof's own cost for all calls of a slot from their time; by chance the cost may be
 * larger. */
uint64_t session_without_cost(const struct session *session, const struct session_slot *slot,
                              uint64_t ns);

/* Returns: nanoseconds of a slot's timed calls, our own cost included. */
double session_timed_ns(const struct session *session, const struct session_slot *slot);

/* Give the whole catalog: of session->catalog only kernels that were bound or met are read.
 * Safety: for one thread at a time. */
const struct catalog *session_read_catalog(const struct session *session);

/* Give the name of a slot's kernel: the called symbol, or the kernel of the object. */
const char *session_name_slot(const struct session *session, const struct session_slot *slot);

/* Find the module that holds an address, or NULL. */
const struct session_module *session_find_module(const struct session *session, uint64_t address);

#endif
