/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a program served requests, or its workers took tasks.
 *
 * Decision: doc/decisions/phases.
 */
#ifndef STEPS_SERVICE_H
#define STEPS_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "places/places.h"

struct session;

enum service_kind {
    SERVICE_NONE,     /* none was found */
    SERVICE_REQUESTS, /* a server's: it accepts connections, and waits for more */
    SERVICE_TASKS     /* tasks of worker threads, or of a pool's worker process */
};

struct service {
    enum service_kind kind;
    uint32_t thread;   /* thread that waits for them; if there are several, the one with the most
                          waits */
    uint64_t from_ns;  /* the first starts */
    uint64_t to_ns;    /* the last has ended */
    bool is_open;      /* the thread was waiting for the next one when the program ended */
    size_t waits;      /* waits that ended with one; 0: unknown, as most were too short */
};

/* Find the service. */
void service_find(struct service *service, const struct session *session, places_finder find);

/* Find when a worker process of a pool took tasks, by samples of Python code called by a loop of
 * worker_loops.def.  Errors: as above. */
void service_find_pool(struct service *service, const struct session *session, places_finder find);

#endif
