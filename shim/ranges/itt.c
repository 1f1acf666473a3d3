/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The collector's side of ITT.  The static part in the program loads the collector
 * (ranges/collector.c) and calls __itt_api_init; from then on the program's inline code calls the
 * functions here directly, on its own threads.  ranges.h has the budget.
 *
 * Domains and names from before that time were made by the static part.  Their field for collectors
 * leads to ours.
 */
#include "ranges/itt.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "platform/attributes.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "platform/readable.h"
#include "ranges/ranges.h"
#include "record/settings.h"

static const char no_name[] = "(no name)";

/* ---- domains and names ------------------------------------------------------------------ */

static struct ranges_domain *create_domain(const char *name)
{
    return name ? ranges_find_domain(RANGES_ITT, name) : NULL;
}

static struct ranges_name *create_name(const char *name)
{
    return name ? ranges_find_name(name) : NULL;
}

static COLD const struct ranges_domain *adopt_domain(struct ranges_domain *domain)
{
    domain->own = ranges_find_domain(RANGES_ITT, domain->name ? domain->name : no_name);
    return domain->own ? domain->own : ranges_default;
}

static ALWAYS_INLINE const struct ranges_domain *own_domain(const struct ranges_domain *domain)
{
    return LIKELY(domain->own != NULL) ? domain->own : adopt_domain((struct ranges_domain *)domain);
}

static COLD const struct ranges_name *adopt_name(struct ranges_name *name)
{
    name->own = ranges_find_name(name->text ? name->text : no_name);
    return name->own;
}

static ALWAYS_INLINE struct ranges_call make_call(const struct ranges_domain *domain,
                                                  struct ranges_name *name)
{
    const struct ranges_name *own = name ? name->own : NULL;
    struct ranges_call call = {.domain = own_domain(domain), .text = no_name};

    if (UNLIKELY(name && !own))
        own = adopt_name(name);
    if (LIKELY(own != NULL)) {
        call.text = own->text;
        call.hash = own->hash;
    } else {
        call.hash = ranges_hash(no_name);
    }
    return call;
}

/* ---- tasks, which nest ------------------------------------------------------------------ */

static void begin_task(const struct ranges_domain *domain, struct itt_id id, struct itt_id parent,
                       struct ranges_name *name)
{
    const struct ranges_call call = make_call(domain, name);

    (void)id;
    (void)parent;
    ranges_push(&call);
}

/* The task has the address of a function as its name. */
static void begin_function(const struct ranges_domain *domain, struct itt_id id,
                           struct itt_id parent, const void *function)
{
    static const char digits[] = "0123456789abcdef";
    char text[] = "function 0x0000000000000000";
    uintptr_t address = (uintptr_t)function;
    struct ranges_call call = {.domain = own_domain(domain), .text = text};

    (void)id;
    (void)parent;
    for (char *to = text + sizeof text - 2; address != 0; address >>= 4)
        *to-- = digits[address & 15];
    call.hash = ranges_hash(text);
    ranges_push(&call);
}

static void end_task(const struct ranges_domain *domain)
{
    ranges_pop(own_domain(domain));
}

/* ---- spans: overlapping tasks, regions, frames -------------------------------------------- */

static ALWAYS_INLINE uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * HASH_FACTOR;
    return hash ^ hash >> 29;
}

/* The program's ids are unique in a domain. */
static ALWAYS_INLINE uint64_t make_key(const struct ranges_domain *domain, struct itt_id id)
{
    return mix(mix(mix(own_domain(domain)->salt, id.first), id.second), id.third) | 2;
}

static void begin_span(const struct ranges_domain *domain, struct itt_id id, struct itt_id parent,
                       struct ranges_name *name)
{
    const struct ranges_call call = make_call(domain, name);

    (void)parent;
    ranges_start_key(&call, make_key(domain, id));
}

static void end_span(const struct ranges_domain *domain, struct itt_id id)
{
    ranges_end_key(make_key(domain, id));
}

static ALWAYS_INLINE struct ranges_call make_frame(const struct ranges_domain *domain)
{
    static const char frame[] = "frame";

    return (struct ranges_call){
        .domain = own_domain(domain), .text = frame, .hash = ranges_hash(frame)};
}

static ALWAYS_INLINE uint64_t frame_key(const struct ranges_domain *domain, const struct itt_id *id)
{
    const struct itt_id none = {0, 0, 1};

    return make_key(domain, id ? *id : none);
}

static void begin_frame(const struct ranges_domain *domain, const struct itt_id *id)
{
    const struct ranges_call call = make_frame(domain);

    ranges_start_key(&call, frame_key(domain, id));
}

static void end_frame(const struct ranges_domain *domain, const struct itt_id *id)
{
    ranges_end_key(frame_key(domain, id));
}

static uint64_t get_timestamp(void)
{
    return clock_read();
}

/* A time of all ones is now. */
static void submit_frame(const struct ranges_domain *domain, const struct itt_id *id,
                         uint64_t begin, uint64_t end)
{
    const struct ranges_call call = make_frame(domain);

    (void)id;
    ranges_submit(&call, begin, end == UINT64_MAX ? clock_read() : end);
}

static void mark(const struct ranges_domain *domain, struct itt_id id, struct ranges_name *name,
                 int scope)
{
    const struct ranges_call call = make_call(domain, name);

    (void)id;
    (void)scope;
    ranges_mark(&call);
}

/* ---- the process ------------------------------------------------------------------------ */

/* The recording goes on, since its totals are exact.  The pause is a span of its own. */
enum { PAUSE_KEY = 2 };

static void pause_collection(void)
{
    static const char name[] = "(paused)";
    struct ranges_call call = {.domain = ranges_find_domain(RANGES_ITT, ""), .text = name};

    call.hash = ranges_hash(name);
    if (call.domain)
        ranges_start_key(&call, PAUSE_KEY);
}

static void resume_collection(void)
{
    ranges_end_key(PAUSE_KEY);
}

static void set_thread_name(const char *name)
{
    ranges_name_thread(0, name);
}

static int set_name_of_thread(const char *name, int length)
{
    (void)length;
    ranges_name_thread(0, name);
    return 0;
}

/* ---- the static part's table -------------------------------------------------------------- */

static const char prefix[] = "__itt_";
enum { PREFIX_SIZE = sizeof prefix - 1, ROWS_MOST = 1024 };

static const struct {
    const char *name;
    void *function;
} answers[] = {
#define ITT(name, function) {#name, (void *)function},
#include "ranges/itt.def"
#undef ITT
};

static bool has_prefix(const char *name)
{
    return readable((uintptr_t)name, PREFIX_SIZE) && memcmp(name, prefix, PREFIX_SIZE) == 0;
}

/* A static part of another layout would have other words in the places of names. */
static bool is_known_table(const struct itt_row *rows)
{
    for (unsigned i = 0; i < ROWS_MOST; i++) {
        if (!readable((uintptr_t)&rows[i], sizeof rows[i]))
            return false;
        if (!rows[i].name)
            return i > 0;
        if (!has_prefix(rows[i].name) || !readable((uintptr_t)rows[i].function, sizeof(void *)))
            return false;
    }
    return false;
}

static bool is_known(const struct itt_global *global)
{
    static const unsigned char magic[8] = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30};

    return readable((uintptr_t)global, sizeof *global) &&
           memcmp(global->magic, magic, sizeof magic) == 0 && global->major == 3 &&
           is_known_table(global->rows);
}

static void *find_answer(const struct itt_row *row)
{
    for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strcmp(row->name + PREFIX_SIZE, answers[i].name) == 0)
            return answers[i].function;
    return row->none;
}

EXPORT REALIGNED void __itt_api_init(struct itt_global *global, uint32_t groups);

/* `groups`: of functions that the program wants first; the others cost nothing. */
void __itt_api_init(struct itt_global *global, uint32_t groups)
{
    int saved_errno = errno;

    (void)groups;
    if (settings.ranges && ranges_open()) {
        if (is_known(global))
            for (struct itt_row *row = global->rows; row->name; row++)
                *row->function = find_answer(row);
        else
            ranges_refuse_table();
    }
    errno = saved_errno;
}
