/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Registers with PyTorch, which then calls the shim at the start and the end of each op.
 *
 * Budget of an op: a call of PyTorch for its name, a hash of the name and the sizes of its inputs,
 * and the budget of record/ops.h; a new text takes the process lock once for each thread.
 */
#include "torch/torch.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "platform/attributes.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "python/frames.h"
#include "record/budget.h"
#include "record/facts.h"
#include "record/lane.h"
#include "record/ops.h"
#include "record/settings.h"
#include "record/strings.h"
#include "torch/places.h"

enum {
    SCOPES = 10,         /* scopes of ops: functions, gradients, TorchScript ... */
    TEXT_MAX = 512,      /* bytes of an op's text */
    SIZED_TEXTS = 4096   /* the most texts with sizes of inputs; further ones have only names */
};

/* at::RecordFunctionCallback, which is passed by value. */
struct torch_callback {
    void *(*begin)(void **context, const void *function);
    void (*end)(const void *function, void *context);
    double probability;
    bool scopes[SCOPES];
    bool needs_inputs;
    bool needs_outputs;
    bool needs_ids;
};

_Static_assert(sizeof(struct torch_callback) == 40, "as at::RecordFunctionCallback");

enum { FOUND = 1, REGISTERED = 2, GONE = 3, STOPPED = 4 };

/* OPS_JUDGED: ops of a thread that are judged at a time. */
enum { OPS_JUDGED = 4096, MILLION = 1000000 };

static struct torch_symbols torch;
static uint64_t handle; /* handle of the callback */
static _Atomic uint64_t stop_ticks;
static atomic_uint stage;
static atomic_uint changes;
static atomic_uint sized_texts;
static atomic_uint refused;

/* ---- the text of an op ---------------------------------------------------- */

static ALWAYS_INLINE uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * HASH_FACTOR;
    return hash ^ hash >> 29;
}

/* The last word may repeat bytes of the previous one: this avoids a loop over single bytes. */
static ALWAYS_INLINE uint64_t hash_name(const char *name)
{
    size_t size = strlen(name), at = 0;
    uint64_t hash = size, word = 0;

    for (; at + sizeof word < size; at += sizeof word) {
        memcpy(&word, name + at, sizeof word);
        hash = mix(hash, word);
    }
    if (LIKELY(size >= sizeof word))
        memcpy(&word, name + size - sizeof word, sizeof word);
    else
        memcpy(&word, name, size);
    return mix(hash, word);
}

/* The sizes of a tensor, each by a factor of its own, so that no multiplication waits for another.
 * Sums with powers of an odd factor collide as rarely as hashes. */
static ALWAYS_INLINE uint64_t sum_sizes(const struct inputs_tensor *tensor)
{
    uint64_t sum = (uint64_t)tensor->device << 48 | (uint64_t)tensor->type << 32 | tensor->dims;
    uint64_t factor = HASH_FACTOR;

    for (uint32_t d = 0; d < tensor->dims; d++, factor *= HASH_FACTOR)
        sum += (uint64_t)tensor->sizes[d] * factor;
    return sum;
}

static ALWAYS_INLINE uint64_t hash_inputs(uint64_t hash, const struct inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++)
        hash = mix(hash, sum_sizes(&inputs->tensors[i]));
    for (uint32_t i = 0; UNLIKELY(i < inputs->lists); i++)
        for (uint32_t j = 0; j < inputs->list[i].count; j++)
            hash = mix(hash, (uint64_t)inputs_number(&inputs->list[i], j) + i);
    return hash + inputs->is_cut;
}

static bool has_room_for_sizes(void)
{
    if (atomic_load(&sized_texts) < SIZED_TEXTS && atomic_fetch_add(&sized_texts, 1) < SIZED_TEXTS)
        return true;
    atomic_fetch_add(&refused, 1);
    atomic_fetch_add(&changes, 1);
    return false;
}

/* "torch", the name, and the inputs if there are any.  The second half of the cache's pair is
 * overwritten first, so two texts do not evict each other in turn. */
static COLD uint32_t learn(struct lane_op_label *place, uint64_t hash, const char *name,
                           const struct inputs *inputs)
{
    int saved_errno = errno;
    char text[TEXT_MAX], *tab;
    size_t size = (size_t)snprintf(text, sizeof text, "torch\t%s", name);

    while ((tab = strchr(text + sizeof "torch", '\t')))
        *tab = ' ';
    if (inputs->count > 0 && size + 2 < sizeof text && has_room_for_sizes()) {
        text[size++] = '\t';
        inputs_format(inputs, text + size, sizeof text - size);
    }
    place[1] = place[0];
    place[0] = (struct lane_op_label){hash, strings_intern(text)};
    errno = saved_errno;
    return place[0].id;
}

/* The hash of 64 bits identifies a text: with 10,000 texts, two collide in one process of 3 *
 * 10^11. */
static ALWAYS_INLINE uint32_t find_label(struct lane *lane, const char *name,
                                         const struct inputs *inputs)
{
    uint64_t hash = hash_inputs(hash_name(name), inputs) | 1;
    struct lane_op_label *place = &lane->op_labels[hash >> 32 & (LANE_OP_LABELS - 2)];

    if (LIKELY(place[0].hash == hash))
        return place[0].id;
    if (place[1].hash == hash)
        return place[1].id;
    return learn(place, hash, name, inputs);
}

/* ---- the callbacks -------------------------------------------------------- */

static ALWAYS_INLINE uint32_t find_site(struct lane *lane)
{
    return python_is_read() && ops_none_is_open(lane) ? places_find(lane) : 0;
}

/* Open ops still end as usual: PyTorch keeps their callbacks with them. */
static COLD void stop(uint64_t now)
{
    unsigned registered = REGISTERED;

    if (!atomic_compare_exchange_strong(&stage, &registered, STOPPED))
        return;
    atomic_store(&stop_ticks, now);
    atomic_fetch_add(&changes, 1);
    torch.remove(handle);
}

/* After the credit of the budget, ops that come more densely than it allows end their recording for
 * good.  The lane is free, because PyTorch may allocate. */
static COLD void judge(struct lane *lane, uint64_t now)
{
    uint64_t ticks = now - lane->op_since;
    uint64_t cost = clock_ticks_of(UINT64_C(1) * TRACE_OP_NS * OPS_JUDGED);
    bool is_over = lane->op_since != 0 && budget_is_in_force() && settings.overhead_ppm > 0 &&
                   torch.remove && ticks * settings.overhead_ppm / MILLION < cost;

    lane->op_count = 0;
    lane->op_since = now;
    if (is_over)
        stop(now);
}

/* The context is a unique_ptr, which C++ returns through a hidden argument: none is needed. */
static void *begin_op(void **context, const void *function)
{
    struct lane *lane = lane_enter();
    struct ops_call call = {.owner = function};
    struct inputs inputs;

    *context = NULL;
    if (UNLIKELY(!lane))
        return context;
    inputs_read(function, settings.ops != SETTINGS_OPS_NAMES, &inputs);
    call.note = inputs.note;
    call.label = find_label(lane, torch.name(function), &inputs);
    call.site = find_site(lane);
    ops_begin(lane, &call);
    lane->op_count++;
    lane_leave(lane);
    return context;
}

static void end_op(const void *function, void *context)
{
    struct lane *lane = lane_enter();
    uint64_t now;

    (void)context;
    if (UNLIKELY(!lane))
        return;
    now = clock_read();
    ops_end(lane, function, now);
    lane_check_deadline(lane, now);
    lane_leave(lane);
    if (UNLIKELY(lane->op_count >= OPS_JUDGED) && ops_none_is_open(lane))
        judge(lane, now);
}

/* ---- registering ---------------------------------------------------------- */

void torch_found(const struct torch_symbols *symbols)
{
    if (atomic_load(&stage) == REGISTERED)
        return;
    torch = *symbols;
    inputs_begin(&torch.inputs);
    atomic_store(&stage, FOUND);
    atomic_fetch_add(&changes, 1);
}

void torch_gone(void)
{
    atomic_store(&stage, GONE);
}

/* Other machines pass a hidden argument of C++ differently from other arguments: there, begin_op
 * would overwrite the op. */
#if defined(__x86_64__)
static const bool is_known_machine = true;
#else
static const bool is_known_machine = false;
#endif

/* Versions before 1.12 or so have callbacks of another size, and no count of inputs. */
static bool has_symbols(void)
{
    return torch.add && torch.name && torch.inputs.count && torch.inputs.next_sequence;
}

static bool may_register(void)
{
    return settings.ops != SETTINGS_OPS_OFF && is_known_machine && has_symbols();
}

void torch_register(void)
{
    unsigned found = FOUND;
    struct torch_callback callback = {
        .begin = begin_op, .end = end_op, .probability = 1, .needs_inputs = true};

    if (LIKELY(atomic_load(&stage) != FOUND) || !may_register() ||
        !atomic_compare_exchange_strong(&stage, &found, REGISTERED))
        return;
    memset(callback.scopes, true, sizeof callback.scopes);
    handle = torch.add(callback);
    atomic_fetch_add(&changes, 1);
}

static enum trace_ops_off find_reason(void)
{
    if (settings.ops == SETTINGS_OPS_OFF)
        return TRACE_OPS_OFF_ASKED;
    if (!is_known_machine)
        return TRACE_OPS_OFF_MACHINE;
    if (!has_symbols())
        return TRACE_OPS_OFF_SYMBOLS;
    if (atomic_load(&stage) == STOPPED)
        return TRACE_OPS_OFF_BUDGET;
    return atomic_load(&stage) == FOUND ? TRACE_OPS_OFF_LATE : TRACE_OPS_OFF_NONE;
}

static enum trace_ops_off find_inputs_reason(void)
{
    if (settings.ops == SETTINGS_OPS_NAMES)
        return TRACE_OPS_OFF_NAMES;
    switch (inputs_state()) {
    case INPUTS_OFF: return TRACE_OPS_OFF_LAYOUT;
    case INPUTS_UNPROVEN: return TRACE_OPS_OFF_UNPROVEN;
    case INPUTS_PROVEN: break;
    }
    return TRACE_OPS_OFF_NONE;
}

/* `changes` does not count changes of the inputs' state, so the state is a part of the number. */
bool torch_write_facts(unsigned *written)
{
    unsigned now = 4 * atomic_load(&changes) + (unsigned)inputs_state();
    struct trace_ops fact = {.module = torch.module,
                             .off = find_reason(),
                             .inputs_off = find_inputs_reason(),
                             .refused = atomic_load(&refused),
                             .off_ticks = atomic_load(&stop_ticks)};

    if (atomic_load(&stage) == 0)
        return true;
    if (*written != now && facts_write(TRACE_FACT_OPS, &fact, sizeof fact, NULL, 0))
        *written = now;
    return *written == now;
}
