/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of a session: the modules that hold them, what they are bound to, and their
 * calls.
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
    uint32_t gone_epoch; /* from which on it was not there; UINT32_MAX while it was */
    const char *path;
    char build_id[72]; /* in hexadecimal; empty when there is none */
};

struct session_binding {
    const struct catalog_kernel *kernel;
    const char *symbol;
    const struct session_module *module; /* that holds the real function, or NULL */
    uint64_t target;
    uint64_t wrapper; /* address of the shim's code that calls it; 0 when unknown */
    uint64_t calls;   /* of all slots */
    uint64_t timed_calls;
};

struct session_hook {
    const char *symbol;
    const struct session_module *module;   /* whose slots these are */
    const struct session_binding *binding; /* NULL when not hooked */
    uint32_t slots;
    enum trace_hook_outcome outcome;
};

/* The calls of one kernel with one shape from one place, region and thread.
 * What the function that was called does may be told by an object that it was
 * given: then the kernel is not that of its binding. */
struct session_slot {
    uint32_t binding;                    /* index in bindings */
    const struct catalog_kernel *kernel; /* whose shape, FLOPs and bytes these are, or NULL */
    const char *implementation;          /* as its library names it, or NULL */
    uint32_t thread;
    uint32_t region;
    uint32_t op;    /* index in ops: the innermost around it */
    bool nested;    /* inside a kernel that owns the FLOPs */
    uint8_t doublings; /* of its recorded calls one in 2^this is in durations_ns, by chance */
    bool has_estimated_calls; /* in a window, by what recorded ones stand for */
    bool is_sequel; /* its calls follow those of a like slot, where the warm-up is */
    uint64_t site;
    unsigned dims; /* values of the shape, in the order of the kernel's terms */
    int64_t shape[CATALOG_SHAPE_MAX];
    uint64_t calls;
    uint64_t recorded_calls;    /* had a record; those that are missing of these were the first */
    uint64_t timed_calls;       /* fewer than calls where the timing is sampled; total and self are
                             then estimates */
    uint64_t interrupted_calls; /* timed ones, where others were not, that stand for themselves
                                   alone as the first does */
    uint64_t total_ns;
    uint64_t self_ns;      /* without the kernels inside */
    uint64_t estimated_ns; /* of the total, that of calls that were not timed */
    double total_error_ns; /* standard error of the total; 0 when exact, NAN when it is not known:
                              too few calls were timed, or their records are gone */
    uint64_t min_ns;
    uint64_t max_ns;
    long double flops_each; /* NAN when unknown */
    long double bytes_each;
    struct array durations_ns; /* uint64_t, of the events that are left, or of drawn ones */
    struct array around;       /* of struct session_around, of a nested slot, by its events */
};

/* A slot of as much work whose calls those of a nested one were inside of, next to them. */
struct session_around {
    uint32_t slot; /* SESSION_NONE: any of other work */
    uint64_t ns;   /* of the nested calls */
};

/* Returns: nanoseconds of our own cost that each call of a slot has in its time. */
double session_inner_cost_ns(const struct session *session, const struct session_slot *slot);

/* Take the cost of all calls of a slot out of a time of theirs, which it may exceed by
 * chance. */
uint64_t session_without_cost(const struct session *session, const struct session_slot *slot,
                              uint64_t ns);

/* Returns: nanoseconds of a slot's total that its timed calls took, our own cost left in. */
double session_timed_ns(const struct session *session, const struct session_slot *slot);

/* What a slot's kernel is called: the symbol that was called, or the kernel
 * that the object stands for. */
const char *session_name_slot(const struct session *session, const struct session_slot *slot);

/* The module that holds an address, or NULL. */
const struct session_module *session_find_module(const struct session *session, uint64_t address);

#endif
