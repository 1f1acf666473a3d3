/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the inputs of ops, at the start of each op.
 */
#include "torch/inputs.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "platform/attributes.h"
#include "platform/readable.h"
#include "spec/trace.h"

enum layout {
#define TORCH_LAYOUT(key, place, help) key = (place),
#include "torch/layout.def"
#undef TORCH_LAYOUT
};

static const char *const types[] = {
#define TORCH_TYPE(name) name,
#include "torch/types.def"
#undef TORCH_TYPE
};

/* NULL: the processor's memory, or unknown. */
static const char *const devices[] = {
#define TORCH_DEVICE(number, name) [number] = (name),
#include "torch/devices.def"
#undef TORCH_DEVICE
};

enum {
    TYPES = sizeof types / sizeof *types,
    DEVICES = sizeof devices / sizeof *devices,
    VALUE_IS_TENSOR = 1,   /* tags of an IValue */
    VALUE_IS_INT = 5,
    VALUE_IS_BOOL = 8,     /* or one of the next two: later versions have more kinds before it */
    VALUE_IS_LIST = 12,    /* the first kind of list; later versions have more kinds after it */
    VALUE_IS_LIST_MOST = 15,
    INLINE_DIMS = 5,       /* sizes inside of a TensorImpl */
    DIMS_MOST = 64,        /* PyTorch refuses more */
    COUNT_MOST = 1024,     /* inputs that a schema may have; a larger number is no count */
    PROOFS = 64,           /* ops with a tensor that must be as expected */
    TENSOR_READ_SIZE = 192, /* a TensorImpl is at least this large */
    FUNCTION_READ_SIZE = FUNCTION_FORWARD + 8, /* a RecordFunction is at least this large */
    DEVICE_SHIFT = 16,      /* in the word of the type */
    DEVICE_IS_META = 14,
    WEIGHTS_DIMS_LEAST = 3,
    NUMBERS_MOST = 5,      /* shown of a list: three dimensions, or a mask of wanted gradients */
    LIST_TRIALS = 64,
    NUMBER_MOST = 1 << 20  /* for strides, paddings and dilations: a larger number is an address */
};

/* A TensorImpl had a word less in front of its dimensions in some version after 2.6, and another
 * one less in 2.15. */
static const uint32_t dims_places[] = {72, 64, 56};

/* A ListImpl had a word less in front of its vector in some version after 2.6. */
static const uint32_t list_places[] = {24, 16};

static struct inputs_symbols known;
static atomic_uint state;
static atomic_uint proofs;
static atomic_uint dims_place; /* 0: no tensor was seen */
static atomic_uint forward_place;
static atomic_uint list_tag; /* 0: no list was seen */
static atomic_uint list_place;
static atomic_uint list_trials;

void inputs_begin(const struct inputs_symbols *symbols)
{
    known = *symbols;
    atomic_store(&proofs, 0);
    atomic_store(&dims_place, 0);
    atomic_store(&list_tag, 0);
    atomic_store(&list_trials, 0);
    atomic_store(&forward_place, FUNCTION_FORWARD);
    atomic_store(&state, known.count && known.next_sequence ? INPUTS_UNPROVEN : INPUTS_OFF);
}

enum inputs_state inputs_state(void)
{
    return (enum inputs_state)atomic_load_explicit(&state, memory_order_relaxed);
}

static ALWAYS_INLINE uint64_t word_at(uintptr_t address)
{
    return *(const uint64_t *)address;
}

/* Bytes of an optional with type and index of a device: in C++17's optional the flag comes after
 * them, in older ones it comes first.  The index of the processor is not 1. */
static ALWAYS_INLINE uint16_t device_of(uint64_t bytes)
{
    if ((bytes >> 16 & 0xff) == 1)
        return bytes & 0xff;
    return (bytes & 0xff) == 1 ? bytes >> 8 & 0xff : 0;
}

static ALWAYS_INLINE struct inputs_tensor read_tensor(uintptr_t tensor, uint32_t place)
{
    uintptr_t dims = tensor + place;
    uint64_t count = word_at(dims), type = word_at(dims + TENSOR_TYPE);
    uintptr_t sizes = count > INLINE_DIMS ? word_at(dims + TENSOR_SIZES) : dims + TENSOR_SIZES;

    return (struct inputs_tensor){.sizes = (const int64_t *)sizes,
                                  .dims = count <= DIMS_MOST ? (uint32_t)count : DIMS_MOST + 1,
                                  .type = (uint16_t)type,
                                  .device = device_of(type >> DEVICE_SHIFT)};
}

/* An undefined tensor has none of the types.  Nothing is computed with a "meta" tensor or those of
 * torch.compile, and sizes that are symbols are elsewhere. */
static ALWAYS_INLINE bool is_told(const struct inputs_tensor *tensor)
{
    return tensor->type < TYPES && tensor->dims <= INPUTS_DIMS_MAX &&
           tensor->device != DEVICE_IS_META;
}

static ALWAYS_INLINE bool has_forward(uintptr_t function)
{
    return word_at(function + atomic_load_explicit(&forward_place, memory_order_relaxed)) != 0;
}

static uint64_t note_of(uintptr_t function)
{
    int64_t sequence = (int64_t)word_at(function + FUNCTION_SEQUENCE);
    uint64_t backward = has_forward(function) ? TRACE_OP_BACKWARD : 0;

    if (sequence < 0 || (uint64_t)sequence >= TRACE_OP_BACKWARD - 1)
        return 0;
    return ((uint64_t)sequence + 1) | backward;
}

/* ---- the proof ----------------------------------------------------------- */

/* Sizes that multiply to another number of elements are not sizes. */
static COLD bool has_elements(uintptr_t tensor, uint32_t place)
{
    struct inputs_tensor read = read_tensor(tensor, place);
    int64_t product = 1;

    if (read.dims > DIMS_MOST || (read.dims > INLINE_DIMS &&
                                  !readable((uintptr_t)read.sizes, read.dims * sizeof(int64_t))))
        return false;
    for (uint32_t i = 0; i < read.dims; i++)
        if (read.sizes[i] < 0 || __builtin_mul_overflow(product, read.sizes[i], &product))
            return false;
    return product == (int64_t)word_at(tensor + place + TENSOR_NUMEL) && read.type < TYPES;
}

/* A scalar proves nothing: zeroed memory looks the same. */
static COLD bool prove_tensor(uintptr_t tensor)
{
    uint32_t place = atomic_load(&dims_place);

    if (!readable(tensor, TENSOR_READ_SIZE))
        return false;
    if (place != 0)
        return has_elements(tensor, place) ||
               *(const uint16_t *)(tensor + place + TENSOR_TYPE) >= TYPES;
    for (size_t i = 0; i < sizeof dims_places / sizeof *dims_places && place == 0; i++)
        if (has_elements(tensor, dims_places[i]) && word_at(tensor + dims_places[i]) > 0)
            place = dims_places[i];
    atomic_store(&dims_place, place);
    return place != 0;
}

static COLD bool prove_tensors(uintptr_t values, uint64_t count)
{
    if (!readable(values, count * VALUE_SIZE))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        uintptr_t value = values + i * VALUE_SIZE;

        if (*(const uint32_t *)(value + VALUE_TAG) == VALUE_IS_TENSOR &&
            !prove_tensor(word_at(value)))
            return false;
    }
    return true;
}

/* An op that computes no gradients has the number that the next op will have, or none. */
static COLD bool has_sequence(uintptr_t function)
{
    int64_t sequence = (int64_t)word_at(function + FUNCTION_SEQUENCE);

    return sequence == -1 || has_forward(function) ||
           (uint64_t)sequence == known.next_sequence();
}

/* Versions since 2.2 or so also keep inputs by name, which ops hardly ever have. */
static COLD void find_forward(uintptr_t function)
{
    uintptr_t keywords = function + FUNCTION_KEYWORDS;

    if (word_at(keywords) == keywords + KEYWORDS_BUCKET)
        atomic_store(&forward_place, FUNCTION_FORWARD_AFTER);
}

/* Before a tensor with dimensions was read, none can be trusted.  Returns: whether to read this
 * function's inputs. */
static COLD bool prove(uintptr_t function)
{
    uint64_t count;

    if (!readable(function, FUNCTION_READ_SIZE)) {
        atomic_store(&state, INPUTS_OFF);
        return false;
    }
    count = word_at(function + FUNCTION_INPUTS + sizeof(uint64_t));
    find_forward(function);
    bool is_right = count == known.count((const void *)function) && count <= COUNT_MOST &&
                    has_sequence(function);
    uint32_t before = atomic_load(&dims_place);

    if (is_right && count > 0)
        is_right = prove_tensors(word_at(function + FUNCTION_INPUTS), count) || before == 0;
    if (!is_right)
        atomic_store(&state, INPUTS_OFF);
    else if (atomic_load(&dims_place) != 0 && atomic_fetch_add(&proofs, 1) == PROOFS)
        atomic_store(&state, INPUTS_PROVEN);
    return is_right && atomic_load(&dims_place) != 0;
}

/* ---- reading -------------------------------------------------------------- */

static ALWAYS_INLINE void add_tensor(struct inputs *inputs, uintptr_t tensor, uint32_t place)
{
    struct inputs_tensor *to = &inputs->tensors[inputs->count];

    *to = read_tensor(tensor, place);
    inputs->count += is_told(to);
}

/* ---- lists ------------------------------------------------------------------ */

static ALWAYS_INLINE uint32_t tag_of(uintptr_t value)
{
    return *(const uint32_t *)(value + VALUE_TAG);
}

static ALWAYS_INLINE bool is_number(uint32_t tag)
{
    return tag == VALUE_IS_INT || tag - VALUE_IS_BOOL <= 2;
}

int64_t inputs_number(const struct inputs_list *list, uint32_t index)
{
    uintptr_t value = list->values + index * VALUE_SIZE;

    return tag_of(value) == VALUE_IS_INT ? (int64_t)word_at(value) : *(const uint8_t *)value;
}

/* The begin, the end and the room of a vector, with some small numbers. */
static COLD bool is_list(uintptr_t vector)
{
    uintptr_t begin = word_at(vector), end = word_at(vector + sizeof begin);
    uint64_t size = end - begin;

    if (begin % sizeof begin != 0 || size == 0 || size % VALUE_SIZE != 0 ||
        size > NUMBERS_MOST * VALUE_SIZE || word_at(vector + 2 * sizeof begin) < end ||
        !readable(begin, size))
        return false;
    for (; begin < end; begin += VALUE_SIZE)
        if (tag_of(begin) != VALUE_IS_INT || word_at(begin) > NUMBER_MOST)
            return false;
    return true;
}

/* Memory that looks like a list of numbers is one: nothing else has this layout. */
static COLD void find_lists(uintptr_t values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uintptr_t value = values + i * VALUE_SIZE;

        if (tag_of(value) < VALUE_IS_LIST || tag_of(value) > VALUE_IS_LIST_MOST ||
            word_at(value) % sizeof value != 0 || !readable(word_at(value), LIST_BYTES))
            continue;
        for (size_t j = 0; j < sizeof list_places / sizeof *list_places; j++) {
            if (!is_list(word_at(value) + list_places[j]))
                continue;
            atomic_store(&list_place, list_places[j]);
            atomic_store(&list_tag, tag_of(value));
            return;
        }
    }
}

static ALWAYS_INLINE void add_list(struct inputs *inputs, uintptr_t list)
{
    uintptr_t vector = list + atomic_load_explicit(&list_place, memory_order_relaxed);
    uintptr_t begin = word_at(vector);
    uint64_t size = word_at(vector + sizeof begin) - begin;

    if (size == 0 || size > NUMBERS_MOST * VALUE_SIZE || !is_number(tag_of(begin)))
        return;
    inputs->list[inputs->lists++] =
        (struct inputs_list){.values = begin, .count = (uint32_t)(size / VALUE_SIZE)};
}

/* Convolutions need them: without them the size of their output is unknown. */
static void read_lists(struct inputs *inputs, uintptr_t values, uint64_t count)
{
    uint32_t tag = atomic_load_explicit(&list_tag, memory_order_relaxed);

    if (UNLIKELY(tag == 0)) {
        if (atomic_fetch_add(&list_trials, 1) < LIST_TRIALS)
            find_lists(values, count);
        tag = atomic_load(&list_tag);
    }
    for (uint64_t i = 0; tag != 0 && i < count && inputs->lists < INPUTS_LISTS_MAX; i++)
        if (tag_of(values + i * VALUE_SIZE) == tag)
            add_list(inputs, word_at(values + i * VALUE_SIZE));
}

static void read_tensors(struct inputs *inputs, uintptr_t values, uint64_t count)
{
    uint32_t place = atomic_load_explicit(&dims_place, memory_order_relaxed);

    for (uint64_t i = 0; i < count; i++) {
        uintptr_t value = values + i * VALUE_SIZE;

        if (tag_of(value) != VALUE_IS_TENSOR)
            continue;
        inputs->is_cut = inputs->count == INPUTS_MAX;
        if (inputs->is_cut)
            return;
        add_tensor(inputs, word_at(value), place);
    }
}

bool inputs_read(const void *function, bool has_tensors, struct inputs *inputs)
{
    uintptr_t from = (uintptr_t)function;
    enum inputs_state now = inputs_state();

    inputs->count = inputs->lists = 0;
    inputs->is_cut = false;
    inputs->note = 0;
    if (UNLIKELY(now != INPUTS_PROVEN) && (now == INPUTS_OFF || !prove(from)))
        return false;
    inputs->note = note_of(from);
    if (!has_tensors)
        return true;
    uintptr_t values = word_at(from + FUNCTION_INPUTS);
    uint64_t count = word_at(from + FUNCTION_INPUTS + sizeof(uint64_t));
    read_tensors(inputs, values, count);
    if (UNLIKELY(inputs->count > 1 && inputs->tensors[1].dims >= WEIGHTS_DIMS_LEAST))
        read_lists(inputs, values, count);
    return true;
}

static size_t format_tensor(const struct inputs_tensor *tensor, char *text, size_t size)
{
    const char *device = tensor->device < DEVICES ? devices[tensor->device] : NULL;
    size_t used = (size_t)snprintf(text, size, "%s%s%s[", device ? device : "", device ? ":" : "",
                                   types[tensor->type]);

    for (uint32_t i = 0; i < tensor->dims && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, i > 0 ? ",%lld" : "%lld",
                                 (long long)tensor->sizes[i]);
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, "]");
    return used < size ? used : size - 1;
}

static size_t format_list(const struct inputs_list *list, char *text, size_t size)
{
    size_t used = 0;

    for (uint32_t i = 0; i < list->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, i > 0 ? ",%lld" : " (%lld",
                                 (long long)inputs_number(list, i));
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, ")");
    return used < size ? used : size - 1;
}

size_t inputs_format(const struct inputs *inputs, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < inputs->count && used + 2 < size; i++) {
        if (i > 0)
            text[used++] = ' ';
        used += format_tensor(&inputs->tensors[i], text + used, size - used);
    }
    for (uint32_t i = 0; i < inputs->lists && used + 2 < size; i++)
        used += format_list(&inputs->list[i], text + used, size - used);
    if (inputs->is_cut && used + 5 < size)
        used += (size_t)snprintf(text + used, size - used, " ...");
    return used;
}
