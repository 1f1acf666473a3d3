/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ONNX Runtime: its functions are entries of one table, a constant in the library.  No named slot
 * leads to the entries.  A program gets the table from OrtGetApiBase.  From then on, the entries
 * that make, run and end a session lead to wrappers.  A session runs the model that it was made
 * from.
 *
 * Source: onnxruntime_c_api.h.  New entries are only ever added at the end, and version 1.N of the
 * library has those of the versions up to N.
 *
 * Decision: doc/decisions/tables-of-functions.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "adapter/adapter.h"
#include "call/entry.h"
#include "hook/hook.h"
#include "platform/hash.h"
#include "platform/readable.h"
#include "record/facts.h"
#include "record/path.h"
#include "spec/decimal.h"

_Static_assert((int)TERM_onnx_load_model == (int)TERM_onnx_run_model &&
                   (int)TERM_onnx_load_file == (int)TERM_onnx_run_file &&
                   (int)TERM_onnx_load_identity == (int)TERM_onnx_run_identity,
               "onnx_run has the terms of onnx_load");
_Static_assert((int)TERM_onnx_load_model == 0, "the number of a numbered shape");

/* The result of OrtGetApiBase. */
struct api_base {
    void *const *(*get_api)(uint32_t version);
    const char *(*get_version)(void);
};

/* A function of the table: its index, the first version that has it, and the argument that receives
 * a new session. */
enum entry_kind { MAKES_OF_FILE, MAKES_OF_BYTES, RUNS, ENDS };
static const struct entry {
    const char *symbol;
    unsigned place, since;
    enum entry_kind kind;
    unsigned session;
} entries[] = {
    {"OrtCreateSession", 7, 1, MAKES_OF_FILE, 3},
    {"OrtCreateSessionFromArray", 8, 1, MAKES_OF_BYTES, 4},
    {"OrtRun", 9, 1, RUNS, 0},
    {"OrtReleaseSession", 95, 1, ENDS, 0},
    {"OrtRunWithBinding", 133, 5, RUNS, 0},
    {"OrtCreateSessionWithPrepackedWeightsContainer", 168, 9, MAKES_OF_FILE, 4},
    {"OrtCreateSessionFromArrayWithPrepackedWeightsContainer", 169, 9, MAKES_OF_BYTES, 5},
};

static const struct entry *find_entry(const char *symbol)
{
    for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].symbol, symbol) == 0)
            return &entries[i];
    return NULL;
}

/* Returns: N of version 1.N; 0 when there is none. */
static unsigned read_version(const struct api_base *base)
{
    const char *text = base->get_version ? base->get_version() : NULL;

    return text && strncmp(text, "1.", 2) == 0 ? (unsigned)decimal_at(text + 2, 0) : 0;
}

static void bind_entries(const struct api_base *base)
{
    unsigned version = read_version(base);
    void *const *table = version > 0 && base->get_api ? base->get_api(version) : NULL;

    for (unsigned i = 0; table && i < sizeof entries / sizeof *entries; i++)
        if (version >= entries[i].since)
            hook_entry(entries[i].symbol, &table[entries[i].place]);
}

/* The program will make the same calls, which lead to the table. */
static void note_base(const struct entry_frame *frame, word result)
{
    int saved_errno = errno;
    unsigned rows = hook_row_count;

    (void)frame;
    if (result != 0)
        bind_entries((const struct api_base *)result);
    if (hook_row_count != rows)
        facts_flush_now();
    errno = saved_errno;
}

/* A library may have asked in its constructor, as the C++ headers of ONNX Runtime do. */
static void catch_up(const struct binding *binding)
{
    const struct api_base *(*get_base)(void) = (const struct api_base *(*)(void))binding->target;
    const struct api_base *base = get_base();

    if (base)
        bind_entries(base);
}

static uint64_t add_to_hash(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * HASH_FACTOR;
}

static uint64_t hash_path(const char *path)
{
    uint64_t hash = 0;

    for (; *path; path++)
        hash = add_to_hash(hash, (unsigned char)*path);
    return hash;
}

/* Models of one architecture have the same size but different weights.  Only some words are hashed,
 * so few pages are touched that the library may never read. */
static uint64_t hash_bytes(const char *model, uint64_t size)
{
    enum { WORDS = 1024 };
    uint64_t hash = size, weights;

    for (uint64_t i = 0; i < WORDS && size >= sizeof weights; i++) {
        const char *at = model + (size - sizeof weights) * i / (WORDS - 1);

        if (!readable((uintptr_t)at, sizeof weights))
            break;
        memcpy(&weights, at, sizeof weights);
        hash = add_to_hash(hash, weights);
    }
    return hash;
}

/* The end of a path is the most informative part.  Returns: the part that fits; it starts with a
 * whole character. */
static const char *end_of(const char *path, size_t room)
{
    size_t length = strlen(path);
    const char *end = length > room ? path + length - room : path;

    while (end > path && ((unsigned char)*end & 0xc0) == 0x80) /* UTF-8 goes on */
        end++;
    return end;
}

static void put_path(struct object_shape *shape, const char *path)
{
    size_t room = sizeof shape->text - 1;

    shape->values[TERM_onnx_load_file] = adapter_pack_text(path_base_name(path));
    shape->values[TERM_onnx_load_identity] = (int64_t)hash_path(path);
    strncpy(shape->text, end_of(path, room), room);
}

static void put_bytes(struct object_shape *shape, const char *model, unsigned long long size)
{
    shape->values[TERM_onnx_load_file] = adapter_pack_text("memory");
    shape->values[TERM_onnx_load_identity] = (int64_t)hash_bytes(model, size);
    snprintf(shape->text, sizeof shape->text, "%llu bytes in memory", size);
}

/* Remember a session, using the arguments of the function that makes it.  Models are numbered in
 * the order of their first loading. */
static const struct object_shape *describe_load(const struct binding *binding, const word *integers)
{
    struct object_shape shape = adapter_begin_shape(ADAPTED_onnx_load);
    const char *model = (const char *)integers[1];

    if (!model) /* ONNX Runtime refuses it */
        return NULL;
    if (find_entry(binding->symbol->name)->kind == MAKES_OF_FILE)
        put_path(&shape, model);
    else
        put_bytes(&shape, model, integers[2]);
    shape.is_numbered = true;
    return object_remember(NULL, &shape);
}

static void note_session(const struct entry_frame *frame, word status)
{
    const struct binding *binding = frame->binding;
    unsigned place = find_entry(binding->symbol->name)->session;
    const struct object_shape *load;
    struct object_shape run;
    const void *session;

    if (status != 0)
        return;
    session = *(const void *const *)frame->integers[place];
    load = adapter_describe(binding->symbol->adapter, binding, frame->integers);
    if (load == &object_unknown) {
        object_forget(session);
        return;
    }
    run = *load;
    run.kernel = adapter_begin_shape(ADAPTED_onnx_run).kernel;
    run.is_numbered = false;
    object_remember(session, &run);
}

static void forget_session(const struct entry_frame *frame)
{
    object_forget((const void *)frame->integers[0]);
}

const struct adapter_call *onnxruntime_find(const char *symbol)
{
    static const struct adapter_call base = {
        .object = -1, .after = note_base, .catch_up = catch_up};
    static const struct adapter_call calls[] = {
        [MAKES_OF_FILE] = {.object = 1, .describe = describe_load, .after = note_session},
        [MAKES_OF_BYTES] = {.object = 1, .describe = describe_load, .after = note_session},
        [RUNS] = {.object = 0},
        [ENDS] = {.object = -1, .before = forget_session},
    };
    const struct entry *entry;

    if (strncmp(symbol, "Ort", 3) != 0)
        return NULL;
    if (strcmp(symbol, "OrtGetApiBase") == 0)
        return &base;
    entry = find_entry(symbol);
    return entry ? &calls[entry->kind] : NULL;
}
