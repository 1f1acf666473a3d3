/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copying code objects into the trace.
 */
#include "python/codes.h"

#include <string.h>

#include "platform/hash.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/process.h"
#include "spec/python_code.h"

enum { BLOCK_SIZE = 1 << 20, BLOCKS_MAX = 64, HASH_PLACES = 2 * CODES_MAX };

_Static_assert(CODES_MAX <= 1 << CODES_ID_BITS, "an id fits its place");
_Static_assert(CODES_PLACES == 1 << (64 - CODES_PLACE_SHIFT), "the upper bits of a hash");

/* All known codes, changed only under the process lock.  They stay valid in a forked child, which
 * writes all of them again. */
struct codes {
    const struct trace_code *records[CODES_MAX]; /* by id; number 0 is unused */
    uint32_t by_hash[HASH_PLACES];               /* ids */
    bool is_passing[CODES_MAX];                  /* by id: see passing.def */
    atomic_uint count;                           /* including number 0 */
    unsigned refused;
    unsigned block_count;
    char *at; /* in the last block */
    char *end;
};

_Atomic uint64_t *codes_places;
atomic_uint codes_gone = 1;

static struct codes *codes;
static void (*dealloc)(void *);

/* In the program's call that frees a code object, which has the GIL. */
static void forget_code(void *code)
{
    _Atomic uint64_t *place = codes_place((uintptr_t)code);
    uint64_t known = atomic_load_explicit(place, memory_order_relaxed);

    if (UNLIKELY((known ^ codes_key((uintptr_t)code)) >> CODES_ID_BITS == 0)) {
        atomic_compare_exchange_strong(place, &known, 0);
        atomic_fetch_add(&codes_gone, 1);
    }
    dealloc(code);
}

/* Only the code that frees an object reads this word. */
static void watch(uintptr_t type)
{
    void (**slot)(void *) = (void (**)(void *))(type + PYTHON_DEALLOC);

    if (*slot == forget_code)
        return;
    dealloc = *slot;
    atomic_thread_fence(memory_order_seq_cst);
    *slot = forget_code;
}

bool codes_begin(uintptr_t type)
{
    if (!codes)
        codes = memory_map(sizeof *codes);
    if (!codes_places)
        codes_places = memory_map(CODES_PLACES * sizeof *codes_places);
    if (!codes || !codes_places)
        return false;
    if (codes->count == 0)
        codes->count = 1;
    memset(codes_places, 0, CODES_PLACES * sizeof *codes_places);
    atomic_fetch_add(&codes_gone, 1);
    watch(type);
    return true;
}

static bool has_room(void)
{
    char *block;

    if (codes->at && codes->end - codes->at >= PYTHON_CODE_SIZE)
        return true;
    block = codes->block_count < BLOCKS_MAX ? memory_map(BLOCK_SIZE) : NULL;
    if (!block)
        return false;
    codes->block_count++;
    codes->at = block;
    codes->end = block + BLOCK_SIZE;
    return true;
}

static bool read_memory(void *of, uint64_t address, void *bytes, size_t size)
{
    if (!python_may_read(of, address, (uint32_t)(size > 0 ? size : 1)))
        return false;
    memcpy(bytes, (const void *)(uintptr_t)address, size);
    return true;
}

/* Copy the code object after the last one.  Returns: its size; 0 when the code object cannot be
 * read. */
static size_t copy(struct python_view *view, uintptr_t code, struct trace_code *record)
{
    const struct python_memory memory = {read_memory, view};

    return python_code_copy(&memory, &python.layout, code, record);
}

static size_t size_of(const struct trace_code *record)
{
    return sizeof *record + record->name_size + record->file_size + record->lines_size;
}

/* Its own id is 0 until now. */
static bool is_same(const struct trace_code *record, const struct trace_code *known)
{
    size_t rest = offsetof(struct trace_code, first_line);
    size_t size = size_of(record);

    return size_of(known) == size &&
           memcmp((const char *)record + rest, (const char *)known + rest, size - rest) == 0;
}

static bool is_passing(const struct trace_code *record)
{
    static const char *const files[] = {
#define PYTHON_PASSING(file) file,
#include "python/passing.def"
#undef PYTHON_PASSING
    };
    const char *file = (const char *)(record + 1) + record->name_size;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strlen(files[i]) == record->file_size && memcmp(file, files[i], record->file_size) == 0)
            return true;
    return false;
}

/* Find the record with the same content, or store this one.  Returns: 0 when there are too many. */
static uint32_t keep(struct trace_code *record, size_t size)
{
    uint32_t at = hash_fnv(record, size) % HASH_PLACES;
    uint32_t count = codes->count;

    for (; codes->by_hash[at] != 0; at = (at + 1) % HASH_PLACES)
        if (is_same(record, codes->records[codes->by_hash[at]]))
            return codes->by_hash[at];
    if (count == CODES_MAX)
        return 0;
    record->id = count;
    codes->records[count] = record;
    codes->by_hash[at] = count;
    codes->is_passing[count] = is_passing(record);
    codes->at += (size + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
    atomic_store_explicit(&codes->count, count + 1, memory_order_release);
    return count;
}

/* The caller holds the process lock. */
static uint32_t add(struct python_view *view, uintptr_t code)
{
    size_t size = has_room() ? copy(view, code, (struct trace_code *)codes->at) : 0;
    uint32_t id = size > 0 ? keep((struct trace_code *)codes->at, size) : 0;

    if (id == 0)
        codes->refused++;
    else if (process->file.is_kept)
        facts_flush_of(codes_write_facts);
    return id;
}

uint32_t codes_add(struct python_view *view, uintptr_t code)
{
    uint64_t before;
    uint32_t id;

    if (!python_is_code(view, code) || code % (1 << CODES_ALIGN_SHIFT) != 0)
        return 0;
    if (!view->never_waits)
        lock_take(&process->lock);
    else if (!lock_try(&process->lock))
        return 0;
    id = add(view, code);
    lock_release(&process->lock);
    if (id == 0)
        return 0;
    before = atomic_exchange(codes_place(code), codes_key(code) | id);
    if (before != 0)
        atomic_fetch_add(&codes_gone, 1);
    return id;
}

const struct trace_code *codes_record(uint32_t id)
{
    return codes->records[id];
}

bool codes_pass_on(uint32_t id)
{
    return codes->is_passing[id];
}

static bool write_code(unsigned index)
{
    const struct trace_code *record = codes->records[index + 1];

    return facts_write(TRACE_FACT_CODE, record, size_of(record), NULL, 0);
}

bool codes_write_facts(unsigned *written)
{
    return !codes || facts_write_list(written, codes->count - 1, write_code);
}

bool codes_write_refused(unsigned *written)
{
    return !codes || facts_update_number(written, "codes_refused", codes->refused);
}
