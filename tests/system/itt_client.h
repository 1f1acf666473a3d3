/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's side of ITT: a static part, whose functions first look for a collector and then lead
 * where it pointed them; and the inline checks before each call.
 */
#ifndef TESTS_SYSTEM_ITT_CLIENT_H
#define TESTS_SYSTEM_ITT_CLIENT_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranges/itt.h"

/* Also made by the static part, before there is a collector. */
struct itt_domain {
    volatile int flags;
    const char *name;
    void *wide;
    int extra1;
    void *extra2;
    void *next;
};

struct itt_string {
    const char *text;
    void *wide;
    int extra1;
    void *extra2;
    void *next;
};

#define ITT_FUNCTIONS(DO)                                                                          \
    DO(domain_create, struct itt_domain *, (const char *name))                                     \
    DO(string_handle_create, struct itt_string *, (const char *name))                              \
    DO(task_begin, void,                                                                           \
       (const struct itt_domain *d, struct itt_id i, struct itt_id p, struct itt_string *name))    \
    DO(task_begin_fn, void,                                                                        \
       (const struct itt_domain *d, struct itt_id i, struct itt_id p, void *function))             \
    DO(task_end, void, (const struct itt_domain *d))                                               \
    DO(task_begin_overlapped, void,                                                                \
       (const struct itt_domain *d, struct itt_id i, struct itt_id p, struct itt_string *name))    \
    DO(task_end_overlapped, void, (const struct itt_domain *d, struct itt_id i))                   \
    DO(frame_begin_v3, void, (const struct itt_domain *d, struct itt_id *i))                       \
    DO(frame_end_v3, void, (const struct itt_domain *d, struct itt_id *i))                         \
    DO(frame_submit_v3, void,                                                                      \
       (const struct itt_domain *d, struct itt_id *i, uint64_t begin, uint64_t end))               \
    DO(get_timestamp, uint64_t, (void))                                                            \
    DO(marker, void,                                                                               \
       (const struct itt_domain *d, struct itt_id i, struct itt_string *name, int scope))          \
    DO(pause, void, (void))                                                                        \
    DO(resume, void, (void))                                                                       \
    DO(thread_set_name, void, (const char *name))                                                  \
    DO(counter_create, void *, (const char *name, const char *domain))                             \
    DO(counter_create_typed, void *, (const char *name, const char *domain, int type))             \
    DO(counter_set_value, void, (void *counter, void *value))                                      \
    DO(counter_inc_delta, void, (void *counter, unsigned long long delta))                         \
    DO(sync_create, void, (void *address, const char *type, const char *name, int attribute))

#define ITT_DECLARE(name, result, parameters)                                                      \
    typedef result(*itt_##name##_type) parameters;                                                 \
    static void *itt_##name##_function;
ITT_FUNCTIONS(ITT_DECLARE)

static struct itt_row itt_rows[] = {
#define ITT_ROW(name, result, parameters) {"__itt_" #name, &itt_##name##_function, NULL, NULL, 1},
    ITT_FUNCTIONS(ITT_ROW){NULL, NULL, NULL, NULL, 0}};

static const char *itt_path;
static struct itt_global itt_global = {
    .magic = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30},
    .major = 3,
    .path = &itt_path,
    .rows = itt_rows,
};

static inline void itt_start(void)
{
    const char *path;
    void (*start)(struct itt_global *, uint32_t);

    if (itt_global.is_initialized)
        return;
    itt_global.is_initialized = 1;
    path = getenv("INTEL_LIBITTNOTIFY64");
    if (!path && getenv("INTEL_ITTNOTIFY_GROUPS"))
        path = "libittnotify.so";
    itt_global.library = path ? dlopen(path, RTLD_LAZY) : NULL;
    if (!itt_global.library)
        return;
    start = (void (*)(struct itt_global *, uint32_t))dlsym(itt_global.library, "__itt_api_init");
    if (start)
        start(&itt_global, UINT32_MAX);
}

#define ITT_CALL(name, none, ...)                                                                  \
    (itt_start(),                                                                                  \
     itt_##name##_function ? ((itt_##name##_type)itt_##name##_function)(__VA_ARGS__) : (none))
#define ITT_VOID(name, ...) ITT_CALL(name, (void)0, ##__VA_ARGS__)
#define ITT_IN(domain, name, ...)                                                                  \
    ((domain) && (domain)->flags ? ITT_VOID(name, domain, ##__VA_ARGS__) : (void)0)

static const struct itt_id itt_null;

#endif
