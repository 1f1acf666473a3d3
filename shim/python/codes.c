/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copying code objects into the trace.
 *
 * Texts are turned into UTF-8, and cut at a bound: a name may have 64 KiB.  A line table that is
 * longer than its bound tells the lines of its first instructions.
 */
#include "python/codes.h"

#include <string.h>

#include "platform/hash.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/process.h"

enum {
    NAME_MOST = 256, /* characters */
    FILE_MOST = 1024,
    LINES_MOST = 1 << 16, /* bytes */
    BYTES_A_CHARACTER = 4,
    RECORD_MOST = sizeof(struct trace_code) + (NAME_MOST + FILE_MOST + 2) * BYTES_A_CHARACTER +
                  LINES_MOST,
    BLOCK_SIZE = 1 << 20,
    BLOCKS_MAX = 64,
    HASH_PLACES = 2 * CODES_MAX
};

_Static_assert(CODES_MAX <= 1 << CODES_ID_BITS, "an id fits its place");
_Static_assert(CODES_PLACES == 1 << (64 - CODES_PLACE_SHIFT), "the upper bits of a hash");

/* All that is known of the codes; changed under the process lock alone.  It stays valid in a
 * forked child, which writes all of it anew. */
struct codes {
    const struct trace_code *records[CODES_MAX]; /* by id; none has the number 0 */
    uint32_t by_hash[HASH_PLACES];               /* ids */
    bool is_passing[CODES_MAX];                  /* by id: see passing.def */
    atomic_uint count;                           /* with number 0 */
    unsigned refused;
    unsigned block_count;
    char *at; /* in the last block */
    char *end;
};

_Atomic uint64_t *codes_places;
atomic_uint codes_gone;

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

/* Nothing asks for this word but what frees an object. */
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

/* A text as CPython keeps it. */
struct python_text {
    uintptr_t characters;
    uint64_t length;
    unsigned width; /* bytes of a character: 1, 2, 4 */
};

/* The word of the state has the width behind two bits, or from 3.14 on behind 16, of which two
 * are used. */
static bool read_text(struct python_view *view, uintptr_t object, struct python_text *text)
{
    enum { WIDTH_SHIFT = 2, WIDTH_MASK = 7, COMPACT = 8, ASCII = 16, USED = 3, LATE_SHIFT = 16 };
    uint32_t state;

    if (object == 0 || object % sizeof(uintptr_t) != 0 ||
        !python_may_read(view, object, PYTHON_TEXT_STATE + sizeof state))
        return false;
    memcpy(&state, (const void *)(object + PYTHON_TEXT_STATE), sizeof state);
    state = (state & ~(uint32_t)USED & 0xffff) != 0 ? state >> WIDTH_SHIFT : state >> LATE_SHIFT;
    text->width = state & WIDTH_MASK;
    text->length = python_word(object + PYTHON_SIZE);
    text->characters = object + (state & ASCII ? python.layout.text_size : python.layout.wide_size);
    return (state & COMPACT) && (text->width == 1 || text->width == 2 || text->width == 4);
}

static uint32_t character_at(const struct python_text *text, uint64_t index)
{
    const void *at = (const void *)(text->characters + index * text->width);
    uint32_t character = 0;

    memcpy(&character, at, text->width); /* of a machine whose lowest byte comes first */
    return character;
}

static char *put_character(char *to, uint32_t character)
{
    enum { REPLACEMENT = 0xfffd };

    if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
        character = REPLACEMENT;
    if (character < 0x80) {
        *to++ = (char)character;
        return to;
    }
    if (character < 0x800) {
        *to++ = (char)(0xc0 | character >> 6);
    } else {
        if (character < 0x10000) {
            *to++ = (char)(0xe0 | character >> 12);
        } else {
            *to++ = (char)(0xf0 | character >> 18);
            *to++ = (char)(0x80 | (character >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (character >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (character & 0x3f));
    return to;
}

/* Copy a text, of a long one its end or its begin.  Returns: where it ends; `to` where it cannot
 * be read. */
static char *put_text(struct python_view *view, char *to, uintptr_t object, uint64_t most,
                      bool keeps_end)
{
    enum { ELLIPSIS = 0x2026 };
    struct python_text text;
    uint64_t first, last;

    if (!read_text(view, object, &text))
        return to;
    first = keeps_end && text.length > most ? text.length - most : 0;
    last = text.length - first < most ? text.length : first + most;
    if (!python_may_read(view, text.characters + first * text.width,
                         (uint32_t)((last - first) * text.width) + 1))
        return to;
    if (first > 0)
        to = put_character(to, ELLIPSIS);
    for (; first < last; first++)
        to = put_character(to, character_at(&text, first));
    return last < text.length ? put_character(to, ELLIPSIS) : to;
}

static char *put_lines(struct python_view *view, char *to, uintptr_t object)
{
    uint64_t size;

    if (object == 0 || object % sizeof(uintptr_t) != 0 ||
        !python_may_read(view, object, PYTHON_BYTES))
        return to;
    size = python_word(object + PYTHON_SIZE);
    size = size < LINES_MOST ? size : LINES_MOST;
    if (!python_may_read(view, object + PYTHON_BYTES, (uint32_t)size + 1))
        return to;
    memcpy(to, (const void *)(object + PYTHON_BYTES), size);
    return to + size;
}

static bool has_room(void)
{
    char *block;

    if (codes->at && codes->end - codes->at >= RECORD_MOST)
        return true;
    block = codes->block_count < BLOCKS_MAX ? memory_map(BLOCK_SIZE) : NULL;
    if (!block)
        return false;
    codes->block_count++;
    codes->at = block;
    codes->end = block + BLOCK_SIZE;
    return true;
}

/* Copy it behind the last.  Returns: its size; 0 when it cannot be read. */
static size_t copy(struct python_view *view, uintptr_t code, struct trace_code *record)
{
    const struct python_layout *layout = &python.layout;
    char *start = (char *)(record + 1);
    char *file, *lines, *end;

    if (!python_may_read(view, code, layout->code_start))
        return 0;
    file = put_text(view, start, python_word(code + layout->code_name), NAME_MOST, false);
    lines = put_text(view, file, python_word(code + layout->code_file), FILE_MOST, true);
    end = put_lines(view, lines, python_word(code + layout->code_lines));
    *record = (struct trace_code){.name_size = (uint32_t)(file - start),
                                  .file_size = (uint32_t)(lines - file),
                                  .lines_size = (uint32_t)(end - lines)};
    memcpy(&record->first_line, (const void *)(code + layout->code_first_line),
           sizeof record->first_line);
    return (size_t)(end - (char *)record);
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

/* Find the record of the same content, or keep this one.  Returns: 0 when there are too many. */
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
