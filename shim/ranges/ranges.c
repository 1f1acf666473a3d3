/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording the ranges of other tools' interfaces.  Called from the program's calls, on its
 * threads: ranges.h has the budget.
 */
#include "ranges/ranges.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "interpose/region.h"
#include "platform/attributes.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "platform/memory.h"
#include "ranges/spans.h"
#include "record/call_draws.h"
#include "record/extended.h"
#include "record/facts.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/strings.h"
#include "record/tally.h"

enum {
    DOMAINS_MOST = 512,
    NAMES_MOST = 8192,
    NAME_PLACES = 2 * NAMES_MOST,
    CATEGORIES_MOST = 1024,
    THREADS_MOST = 256,
    PIECE_SIZE = 1 << 16,
    DOMAIN_NAME_SIZE = 128,
    TEXT_SIZE = DOMAIN_NAME_SIZE + RANGES_NAME_SIZE + 16
};

struct ranges_category {
    struct ranges_category *next;
    uint32_t number;
    const char *name;
};

/* What a forked child has of its own. */
struct state {
    unsigned thread_count;
    unsigned refused_tables;
    atomic_uint refused_spans; /* that found no room among the open ones */
    struct {
        uint32_t number;
        char name[32];
    } threads[THREADS_MOST];
};

static struct state *state;
static struct ranges_domain *newest; /* of the domains */
static struct ranges_name **names;
static struct ranges_name *other_names;
static unsigned domain_count, name_count, category_count;
static char *piece; /* memory for these, which is never given back */
static size_t piece_left;

struct ranges_domain *ranges_default;

static const char *const interfaces[RANGES_INTERFACES] = {"nvtx", "itt"};
static const char others[] = "(other names)";

/* ---- domains and names ------------------------------------------------------------------ */

/* The caller holds the process lock. */
static void *get_memory(size_t size)
{
    size_t whole = (size + 15) & ~(size_t)15;
    char *start;

    if (whole > piece_left) {
        piece = memory_map(PIECE_SIZE);
        piece_left = piece ? PIECE_SIZE : 0;
    }
    if (!piece)
        return NULL;
    start = piece;
    piece += whole;
    piece_left -= whole;
    return start;
}

static const char *copy_text(const char *text, size_t size)
{
    char *copy = get_memory(size + 1);

    return copy ? memcpy(copy, text, size) : NULL; /* the memory behind is zeroed */
}

/* Bytes of a text up to a size, without a part of a character of UTF-8. */
static size_t cut(const char *text, size_t most)
{
    size_t size = strnlen(text, most + 1);

    if (size <= most)
        return size;
    for (size = most; size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80;)
        size--;
    return size;
}

static ALWAYS_INLINE uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * HASH_FACTOR;
    return hash ^ hash >> 29;
}

/* The last word may repeat bytes of the one before: this avoids a loop over single bytes. */
static ALWAYS_INLINE uint64_t hash_text(const char *text)
{
    size_t size = strlen(text), at = 0;
    uint64_t hash, word = 0;

    if (UNLIKELY(size >= RANGES_NAME_SIZE))
        size = cut(text, RANGES_NAME_SIZE - 1);
    hash = size;
    for (; at + sizeof word < size; at += sizeof word) {
        memcpy(&word, text + at, sizeof word);
        hash = mix(hash, word);
    }
    if (LIKELY(size >= sizeof word))
        memcpy(&word, text + size - sizeof word, sizeof word);
    else
        for (word = 0, at = 0; at < size; at++)
            word = word << 8 | (unsigned char)text[at];
    return mix(hash, word);
}

uint64_t ranges_hash(const char *text)
{
    return hash_text(text);
}

static bool is_domain(const struct ranges_domain *domain, const char *interface, const char *name)
{
    size_t size = strlen(interface);

    return strncmp(domain->prefix, interface, size) == 0 && domain->prefix[size] == '\t' &&
           strcmp(domain->name, name) == 0;
}

static struct ranges_domain *make_domain(const char *interface, const char *name)
{
    struct ranges_domain *domain = get_memory(sizeof *domain);
    char prefix[DOMAIN_NAME_SIZE + 16], *tab;
    size_t size = (size_t)snprintf(prefix, sizeof prefix, "%s\t%s", interface, name);

    while ((tab = strchr(prefix + strlen(interface) + 1, '\t')))
        *tab = ' ';
    prefix[size++] = '\t';
    prefix[size] = '\0';
    if (!domain || !(domain->prefix = copy_text(prefix, size)) ||
        !(domain->name = copy_text(name, strlen(name))))
        return NULL;
    domain->is_enabled = 1;
    domain->own = domain;
    domain->number = ++domain_count;
    domain->salt = hash_text(prefix) * HASH_FACTOR;
    domain->older = newest;
    newest = domain;
    return domain;
}

static struct ranges_domain *find_domain(const char *interface, const char *name)
{
    struct ranges_domain *domain = newest;

    while (domain && !is_domain(domain, interface, name))
        domain = domain->older;
    if (domain)
        return domain;
    if (domain_count < DOMAINS_MOST)
        return make_domain(interface, name);
    return domain_count == DOMAINS_MOST ? make_domain(interface, "(other domains)") : newest;
}

REALIGNED struct ranges_domain *ranges_find_domain(enum ranges_interface interface,
                                                   const char *name)
{
    int saved_errno = errno;
    char short_name[DOMAIN_NAME_SIZE] = "";
    struct ranges_domain *domain;

    if (!ranges_open())
        return NULL;
    if (name)
        memcpy(short_name, name, cut(name, sizeof short_name - 1));
    lock_take(&process->lock);
    domain = find_domain(interfaces[interface], short_name);
    lock_release(&process->lock);
    errno = saved_errno;
    return domain ? domain : ranges_default;
}

static struct ranges_name *make_name(const char *text, uint64_t hash)
{
    struct ranges_name *name = get_memory(sizeof *name);

    if (!name || !(name->text = copy_text(text, cut(text, RANGES_NAME_SIZE - 1))))
        return NULL;
    name->hash = hash;
    name->own = name;
    name_count++;
    return name;
}

static struct ranges_name *find_name(const char *text, uint64_t hash)
{
    size_t at = hash >> 32 & (NAME_PLACES - 1);

    for (; names[at]; at = (at + 1) & (NAME_PLACES - 1))
        if (names[at]->hash == hash)
            return names[at];
    if (name_count >= NAMES_MOST)
        return other_names;
    names[at] = make_name(text, hash);
    return names[at] ? names[at] : other_names;
}

REALIGNED struct ranges_name *ranges_find_name(const char *text)
{
    int saved_errno = errno;
    struct ranges_name *name = NULL;

    if (!ranges_open())
        return NULL;
    lock_take(&process->lock);
    if (names)
        name = find_name(text, hash_text(text));
    lock_release(&process->lock);
    errno = saved_errno;
    return name;
}

static void add_category(struct ranges_domain *domain, uint32_t number, const char *name)
{
    struct ranges_category *category = domain->categories;

    while (category && category->number != number)
        category = category->next;
    if (category || category_count >= CATEGORIES_MOST || !(category = get_memory(sizeof *category)))
        return;
    category->number = number;
    category->name = copy_text(name, cut(name, DOMAIN_NAME_SIZE));
    category->next = domain->categories;
    if (category->name)
        domain->categories = category;
    category_count++;
}

REALIGNED void ranges_name_category(struct ranges_domain *domain, uint32_t category,
                                    const char *name)
{
    int saved_errno = errno;

    if (!name || !ranges_open())
        return;
    lock_take(&process->lock);
    add_category(domain->own, category, name);
    lock_release(&process->lock);
    errno = saved_errno;
}

static void add_thread(uint32_t thread, const char *name)
{
    unsigned at = state->thread_count;

    for (unsigned i = 0; i < state->thread_count; i++)
        if (state->threads[i].number == thread)
            return; /* its first name is in the trace */
    if (at >= THREADS_MOST)
        return;
    state->threads[at].number = thread;
    memcpy(state->threads[at].name, name, cut(name, sizeof state->threads[at].name - 1));
    state->thread_count++;
}

REALIGNED void ranges_name_thread(uint32_t thread, const char *name)
{
    int saved_errno = errno;

    if (!name || name[0] == '\0' || !ranges_open())
        return;
    lock_take(&process->lock);
    add_thread(thread != 0 ? thread : (uint32_t)syscall(SYS_gettid), name);
    lock_release(&process->lock);
    errno = saved_errno;
}

/* A range may have no name. */
const char *ranges_narrow(const wchar_t *wide, char narrow[RANGES_NAME_SIZE])
{
    size_t size = 0;

    if (!wide)
        return NULL;
    for (; *wide && size + 4 < RANGES_NAME_SIZE; wide++) {
        uint32_t point = (uint32_t)*wide;

        if (point > 0x10ffff)
            point = 0xfffd;
        if (point < 0x80) {
            narrow[size++] = (char)point;
            continue;
        }
        if (point >= 0x10000)
            narrow[size++] = (char)(0xf0 | point >> 18);
        if (point >= 0x800)
            narrow[size++] = (char)((point >= 0x10000 ? 0x80 : 0xe0) | (point >> 12 & 0x3f));
        narrow[size++] = (char)((point >= 0x800 ? 0x80 : 0xc0) | (point >> 6 & 0x3f));
        narrow[size++] = (char)(0x80 | (point & 0x3f));
    }
    narrow[size] = '\0';
    return narrow;
}

static bool open_all(void)
{
    if (!names)
        names = memory_map(NAME_PLACES * sizeof(struct ranges_name *));
    if (!state)
        state = memory_map_wiped(sizeof *state);
    if (!ranges_default)
        ranges_default = make_domain(interfaces[RANGES_NVTX], "");
    if (!other_names)
        other_names = make_name(others, hash_text(others));
    return names && state && ranges_default && other_names && spans_open();
}

bool ranges_open(void)
{
    int saved_errno = errno;
    struct lane *lane = lane_enter();
    bool is_open;

    if (!lane)
        return false;
    lane_leave(lane);
    lock_take(&process->lock);
    is_open = open_all();
    lock_release(&process->lock);
    errno = saved_errno;
    return is_open;
}

/* ---- labels ----------------------------------------------------------------------------- */

static uint32_t find_category(const struct ranges_call *call)
{
    const struct ranges_category *category = call->domain->categories;

    while (category && category->number != call->look.category)
        category = category->next;
    return category ? strings_intern(category->name) : 0;
}

/* A range without a colour or category tells nothing but its name. */
static void write_look(const struct ranges_call *call, uint32_t label)
{
    const struct ranges_look *look = &call->look;
    struct trace_range range = {.label = label,
                                .flags = look->has_colour ? TRACE_RANGE_HAS_COLOUR : 0,
                                .colour = look->colour,
                                .category = look->category};

    if (!look->has_colour && look->category == 0)
        return;
    if (look->category != 0)
        range.category_name = find_category(call);
    lock_take(&process->lock);
    facts_write(TRACE_FACT_RANGE, &range, sizeof range, NULL, 0);
    lock_release(&process->lock);
}

static void write_text(char text[TEXT_SIZE], const struct ranges_domain *domain, const char *name)
{
    size_t size = strlen(domain->prefix);

    memcpy(text, domain->prefix, size);
    memcpy(text + size, name, cut(name, RANGES_NAME_SIZE - 1));
    text[size + cut(name, RANGES_NAME_SIZE - 1)] = '\0';
}

/* Also for names beyond the most, which share a label.  The second half of the cache's pair is
 * overwritten first, so two names do not evict each other in turn. */
static REALIGNED uint32_t learn(struct lane_op_label *place, uint64_t hash,
                                const struct ranges_call *call)
{
    int saved_errno = errno;
    char text[TEXT_SIZE];
    bool is_new;
    uint32_t label;

    write_text(text, call->domain, call->text);
    label = strings_intern_range(text, &is_new);
    if (label != 0 && is_new)
        write_look(call, label);
    if (label == 0) {
        write_text(text, call->domain, others);
        label = strings_intern(text);
    }
    place[1] = place[0];
    place[0] = (struct lane_op_label){hash, label};
    errno = saved_errno;
    return label;
}

/* The hash of 64 bits identifies a name and its domain, as that of an op's text. */
static ALWAYS_INLINE uint32_t find_label(struct lane *lane, const struct ranges_call *call)
{
    uint64_t hash = mix(call->hash, call->domain->salt) | 1;
    struct lane_op_label *place = &lane->op_labels[hash >> 32 & (LANE_OP_LABELS - 2)];

    if (LIKELY(place[0].hash == hash))
        return TRACE_LABEL_RANGE | place[0].id;
    if (place[1].hash == hash)
        return TRACE_LABEL_RANGE | place[1].id;
    return TRACE_LABEL_RANGE | learn(place, hash, call);
}

/* ---- regions ---------------------------------------------------------------------------- */

static uint64_t pack(uint32_t node, uint32_t payload_type, unsigned doublings)
{
    return node | (uint64_t)payload_type << TRACE_RANGE_PAYLOAD_SHIFT |
           (uint64_t)doublings << TRACE_RANGE_DOUBLINGS_SHIFT;
}

static COLD void write_payload(struct lane *lane, const struct ranges_look *look)
{
    const uint64_t words[2] = {pack(lane->node_index, look->payload_type, 0), look->payload};

    extended_write(lane, clock_read(), TRACE_EXTENDED_PAYLOAD, words, 2);
}

void ranges_push(const struct ranges_call *call)
{
    struct lane *lane = lane_enter();

    if (UNLIKELY(!lane))
        return;
    if (LIKELY(region_push(lane, find_label(lane, call), call->domain->number)) &&
        UNLIKELY(call->look.payload_type != TRACE_PAYLOAD_NONE))
        write_payload(lane, &call->look);
    lane_leave(lane);
}

void ranges_pop(const struct ranges_domain *domain)
{
    struct lane *lane = lane_enter();

    if (UNLIKELY(!lane))
        return;
    region_pop(lane, domain->number);
    lane_leave(lane);
}

/* ---- spans and moments ------------------------------------------------------------------ */

/* Their nodes are below the thread's: they are in no region. */
static ALWAYS_INLINE struct lane_place find_node(struct lane *lane, uint32_t label, uint64_t now)
{
    struct lane_place place = tally_node(lane, lane->thread_node_index, label, now);

    if (UNLIKELY(!place.cell))
        lane->thread_node->lost_records++;
    return place;
}

/* A new span of this thread, counted in its node. */
static ALWAYS_INLINE struct span begin(struct lane *lane, const struct ranges_call *call)
{
    uint32_t label = find_label(lane, call) | TRACE_LABEL_SPAN;
    uint64_t now = clock_read();
    struct lane_place place = find_node(lane, label, now);

    if (LIKELY(place.cell != NULL))
        place.cell->node.unmatched++;
    return (struct span){now, call->look.payload, label, (uint32_t)lane->thread,
                         call->look.payload_type};
}

/* Nobody will know whether it ended. */
static COLD void refuse_span(struct lane *lane, const struct span *span)
{
    struct lane_place place = find_node(lane, span->label, span->start);

    if (place.cell)
        place.cell->node.unmatched--;
    atomic_fetch_add_explicit(&state->refused_spans, 1, memory_order_relaxed);
}

uint64_t ranges_start(const struct ranges_call *call)
{
    struct lane *lane = lane_enter();
    struct span span;
    uint64_t key;

    if (UNLIKELY(!lane))
        return 0;
    span = begin(lane, call);
    key = spans_add(lane->number, ++lane->spans, &span);
    if (UNLIKELY(key == 0))
        refuse_span(lane, &span);
    lane_leave(lane);
    return key;
}

/* The open span stays among those that never ended. */
void ranges_start_key(const struct ranges_call *call, uint64_t key)
{
    struct lane *lane = lane_enter();
    struct span span;

    if (UNLIKELY(!lane))
        return;
    (void)spans_take(key, &span);
    span = begin(lane, call);
    if (UNLIKELY(!spans_put(key, &span)))
        refuse_span(lane, &span);
    lane_leave(lane);
}

/* A span that ends now, or that ended earlier. */
struct ending {
    uint64_t ticks; /* its duration */
    uint64_t ago;   /* from its end to now */
    uint64_t now;
};

static ALWAYS_INLINE void write_span(struct lane *lane, const struct span *span,
                                     struct lane_place place, const struct ending *ending)
{
    uint8_t doublings = 0;
    uint64_t words[5];

    if (UNLIKELY(lane->region_doublings > 0) &&
        !call_draws_region(lane, place.cell->node.calls, &doublings))
        return;
    words[0] = pack(place.number, span->payload_type, doublings);
    words[1] = ending->ticks;
    words[2] = span->thread;
    words[3] = span->payload;
    words[4] = ending->ago;
    extended_write(lane, ending->now, TRACE_EXTENDED_SPAN, words, 5);
}

static ALWAYS_INLINE void count_span(struct lane *lane, const struct span *span,
                                     const struct ending *ending, unsigned started)
{
    struct lane_place place = find_node(lane, span->label, span->start);
    struct trace_node *node;

    if (UNLIKELY(!place.cell))
        return;
    node = &place.cell->node;
    node->calls++;
    node->ticks += ending->ticks;
    node->last_ticks = ending->now - ending->ago;
    node->unmatched -= started;
    write_span(lane, span, place, ending);
}

typedef bool (*span_remover)(uint64_t key, struct span *span);

static ALWAYS_INLINE void end_by(uint64_t key, span_remover remove)
{
    struct lane *lane = lane_enter();
    struct ending ending = {0};
    struct span span;

    if (UNLIKELY(!lane))
        return;
    ending.now = clock_read();
    if (LIKELY(remove(key, &span))) {
        ending.ticks = ending.now > span.start ? ending.now - span.start : 0;
        count_span(lane, &span, &ending, 1);
    } else {
        lane->thread_node->unmatched++;
    }
    lane_check_deadline(lane, ending.now);
    lane_leave(lane);
}

/* A refused span has the key 0. */
void ranges_end(uint64_t key)
{
    if (UNLIKELY(key == 0) && state && atomic_load(&state->refused_spans) > 0)
        return;
    end_by(key, spans_find);
}

void ranges_end_key(uint64_t key)
{
    end_by(key, spans_take);
}

/* Its record comes now, because the records of a lane are in order. */
REALIGNED void ranges_submit(const struct ranges_call *call, uint64_t begin, uint64_t end)
{
    struct lane *lane = lane_enter();
    struct ending ending = {.ticks = end - begin};
    struct span span = {.start = begin};

    if (UNLIKELY(!lane))
        return;
    ending.now = clock_read();
    ending.ago = ending.now - end;
    if (begin <= end && end <= ending.now) {
        span.label = find_label(lane, call) | TRACE_LABEL_SPAN;
        span.thread = (uint32_t)lane->thread;
        count_span(lane, &span, &ending, 0);
    } else {
        lane->thread_node->unmatched++;
    }
    lane_leave(lane);
}

void ranges_mark(const struct ranges_call *call)
{
    struct lane *lane = lane_enter();
    uint64_t now = clock_read(), words[2] = {0, call->look.payload};
    struct lane_place place;
    uint8_t doublings = 0;

    if (UNLIKELY(!lane))
        return;
    place = find_node(lane, find_label(lane, call) | TRACE_LABEL_MARK, now);
    if (LIKELY(place.cell != NULL)) {
        place.cell->node.calls++;
        place.cell->node.last_ticks = now;
    }
    if (place.cell && (LIKELY(lane->region_doublings == 0) ||
                       call_draws_region(lane, place.cell->node.calls, &doublings))) {
        words[0] = pack(place.number, call->look.payload_type, doublings);
        extended_write(lane, now, TRACE_EXTENDED_MARK, words, 2);
    }
    lane_check_deadline(lane, now);
    lane_leave(lane);
}

/* ---- facts ------------------------------------------------------------------------------ */

void ranges_refuse_table(void)
{
    if (!ranges_open())
        return;
    lock_take(&process->lock);
    state->refused_tables++;
    lock_release(&process->lock);
}

static bool write_thread(unsigned index)
{
    char text[64];

    snprintf(text, sizeof text, "%u %s", state->threads[index].number, state->threads[index].name);
    return facts_write_text("thread", text);
}

bool ranges_write_threads(unsigned *written)
{
    return !state || facts_write_list(written, state->thread_count, write_thread);
}

bool ranges_write_refused_tables(unsigned *written)
{
    return !state || facts_update_number(written, "range_tables_refused", state->refused_tables);
}

bool ranges_write_refused_spans(unsigned *written)
{
    return !state ||
           facts_update_number(written, "spans_refused", atomic_load(&state->refused_spans));
}
