/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The user's options: the rows of options.def, read from the environment once, before the first
 * record.
 */
#ifndef RECORD_SETTINGS_H
#define RECORD_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

enum settings_alloc {
    SETTINGS_ALLOC_FULL,
    SETTINGS_ALLOC_NOSTACK,
    SETTINGS_ALLOC_SAMPLE,
    SETTINGS_ALLOC_COUNT,
    SETTINGS_ALLOC_OFF
};

enum settings_ops {
    SETTINGS_OPS_ON,
    SETTINGS_OPS_PATHS,
    SETTINGS_OPS_NAMES,
    SETTINGS_OPS_OFF
};

enum settings_requests {
    SETTINGS_REQUESTS_SOCKETS,
    SETTINGS_REQUESTS_PATHS,
    SETTINGS_REQUESTS_OFF
};

enum settings_id {
#define OPTION(field, variable, flag, type, standard, argument, help) SETTING_##field,
#include "spec/options.def"
#undef OPTION
    SETTINGS_COUNT
};

struct settings {
    const char *text[SETTINGS_COUNT]; /* the given text, or the default */
    uint64_t capacity_bytes;
    uint64_t interval_ns;
    uint64_t sample_bytes; /* for SETTINGS_ALLOC_SAMPLE; at most UINT32_MAX */
    uint64_t warmup;       /* calls */
    uint64_t runs;         /* calls after these that have a record; 0: all */
    uint64_t overhead_ppm; /* budget, of the process's processor time; 0: none */
    uint64_t disk_bytes;   /* budget of the trace; 0: none */
    enum settings_alloc alloc;
    int snapshot_signal;     /* 0: none */
    char snapshot_label[24]; /* its name: SIGUSR2, SIGRTMIN+3 */
    bool samples; /* processor time */
    enum settings_ops ops;
    enum settings_requests requests;
    bool keeps[TRACE_INCIDENT_CAUSES];    /* the records around an incident of the cause */
    uint64_t keep[TRACE_INCIDENT_CAUSES]; /* its limit: ns, bytes, hundredths; 0: none */
    uint64_t keep_share_ppm;              /* instead of bytes, of the memory that it may use */
    bool python;  /* its frames are read */
    bool python_objects; /* each object is a separate block */
    bool ranges;         /* of other tools' interfaces */
    bool follow;
    bool quiet;
    char mistake[256]; /* the first mistake in the environment; empty if none */
};

extern struct settings settings;

/* The name and the value of one row, as text. */
const char *settings_variable(enum settings_id id);

/* Does a record of an allocation have its call chain? */
bool settings_takes_chains(void);

/* Ask whether recording must reduce records before they cost too much. */
bool settings_has_budget(void);

/* Give the number of first calls of a slot that have a record; UINT64_MAX: all. */
uint64_t settings_recorded_calls(void);

/* Read the environment.  An invalid value leaves the default; invalid values and unknown names are
 * noted as mistakes. */
void settings_read(void);

#endif
