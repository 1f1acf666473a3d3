/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counters of ITT, as metrics of the trace.  Called from the program's calls.  This file is
 * apart because metrics are floating-point numbers, and the others are compiled without these.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "interpose/region.h"
#include "platform/attributes.h"
#include "ranges/itt.h"
#include "ranges/ranges.h"

enum { COUNTERS_MOST = 256, NAME_SIZE = 128 };

/* Types of the numbers, as ITT counts them. */
enum { UNSIGNED_64 = 1, SIGNED_64, UNSIGNED_32, SIGNED_32, UNSIGNED_16, SIGNED_16, FLOAT, DOUBLE };

struct counter {
    _Atomic uint64_t value; /* that increments add to */
    atomic_uint is_named;
    int type;
    char name[NAME_SIZE];
};

static struct counter counters[COUNTERS_MOST];
static atomic_uint counter_count;

/* Counters are made once, so a program with more has lost the others. */
static void *make(const char *name, const char *domain, int type)
{
    int saved_errno = errno;
    char text[NAME_SIZE];
    struct counter *counter;
    unsigned number;

    (void)snprintf(text, sizeof text, "%s%s%s", domain ? domain : "", domain ? ": " : "",
                   name ? name : "(no name)");
    for (unsigned i = 0; i < counter_count && i < COUNTERS_MOST; i++)
        if (counters[i].is_named && strcmp(counters[i].name, text) == 0)
            return &counters[i];
    number = atomic_fetch_add(&counter_count, 1);
    errno = saved_errno;
    if (number >= COUNTERS_MOST) {
        atomic_store(&counter_count, COUNTERS_MOST);
        return NULL;
    }
    counter = &counters[number];
    counter->type = type;
    memcpy(counter->name, text, sizeof text);
    atomic_store_explicit(&counter->is_named, 1, memory_order_release);
    return counter;
}

REALIGNED void *itt_counter_create(const char *name, const char *domain)
{
    return make(name, domain, UNSIGNED_64);
}

REALIGNED void *itt_counter_create_typed(const char *name, const char *domain, int type)
{
    return make(name, domain, type);
}

REALIGNED void *itt_counter_create_v3(const void *domain, const char *name, int type)
{
    const struct ranges_domain *of = domain;

    return make(name, of ? of->name : NULL, type);
}

static double number_of(const void *value, int type)
{
    double real = 0;
    float single = 0;
    uint64_t bits = 0;
    static const size_t sizes[] = {8, 8, 8, 4, 4, 2, 2, 4, 8};

    if (type < 0 || type > DOUBLE)
        type = UNSIGNED_64;
    memcpy(&bits, value, sizes[type]);
    memcpy(&single, value, sizeof single > sizes[type] ? sizes[type] : sizeof single);
    memcpy(&real, &bits, sizeof real);
    switch (type) {
    case SIGNED_64: return (double)(int64_t)bits;
    case SIGNED_32: return (double)(int32_t)bits;
    case SIGNED_16: return (double)(int16_t)bits;
    case FLOAT: return (double)single;
    case DOUBLE: return real;
    }
    return (double)bits;
}

static void record(const struct counter *counter, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    region_record_metric(counter->name, bits);
}

REALIGNED void itt_counter_set_value(void *counter, const void *value)
{
    struct counter *of = counter;

    if (of && value)
        record(of, number_of(value, of->type));
}

static void add(struct counter *counter, uint64_t delta)
{
    if (counter)
        record(counter, (double)(int64_t)(atomic_fetch_add(&counter->value, delta) + delta));
}

REALIGNED void itt_counter_inc(void *counter)
{
    add(counter, 1);
}

REALIGNED void itt_counter_inc_delta(void *counter, uint64_t delta)
{
    add(counter, delta);
}

REALIGNED void itt_counter_dec(void *counter)
{
    add(counter, UINT64_MAX);
}

REALIGNED void itt_counter_dec_delta(void *counter, uint64_t delta)
{
    add(counter, 0 - delta);
}
