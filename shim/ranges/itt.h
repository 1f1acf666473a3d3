/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of ITT that a collector sees: the program's static part loads the collector and hands
 * it the table of its functions.
 */
#ifndef RANGES_ITT_H
#define RANGES_ITT_H

#include <stddef.h>
#include <stdint.h>

struct itt_id {
    uint64_t first, second, third;
};

/* A function of the static part; the table ends with a row without a name. */
struct itt_row {
    const char *name;
    void **function;
    void *initial;
    void *none; /* what it leads to without a collector */
    uint32_t group;
};

/* The static part, up to the table. */
struct itt_global {
    unsigned char magic[8];
    unsigned long major;
    unsigned long minor;
    unsigned long build;
    long is_initialized;
    long has_mutex;
    long counter;
    uint64_t mutex[5]; /* a pthread_mutex_t */
    void *library;
    void *error_handler;
    const char **path;
    struct itt_row *rows;
};

_Static_assert(offsetof(struct itt_global, rows) == 120, "as in ITT 3");
_Static_assert(sizeof(struct itt_row) == 40, "as in ITT 3");

/* The functions of counters.c. */
void *itt_counter_create(const char *name, const char *domain);
void *itt_counter_create_typed(const char *name, const char *domain, int type);
void *itt_counter_create_v3(const void *domain, const char *name, int type);
void itt_counter_set_value(void *counter, const void *value);
void itt_counter_inc(void *counter);
void itt_counter_inc_delta(void *counter, uint64_t delta);
void itt_counter_dec(void *counter);
void itt_counter_dec_delta(void *counter, uint64_t delta);

#endif
