/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stacks that were seen.
 */
#include "where/stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "places/places.h"
#include "symbols/storage.h"
#include "where/frames.h"
#include "where/image.h"
#include "where/mixed.h"
#include "where/python_names.h"

/* A function of one module, with its words: all its places share it. */
struct known_function {
    UT_hash_handle hh;
    struct places_function function;
    char key[]; /* module, newline, name */
};

struct stacks {
    struct symbols *symbols;
    struct symbols_map map;
    struct storage *storage; /* keeps names of modules */
    struct python_names *python;
    struct known_function *functions;
    struct stack *by_key;
    struct array items; /* of struct stack * */
};

struct stacks *stacks_new(const char *root, const struct symbols_map *map)
{
    struct stacks *stacks = memory_get_zeros(1, sizeof *stacks);

    array_init(&stacks->items, sizeof(struct stack *));
    stacks->map = *map;
    stacks->symbols = symbols_new();
    stacks->storage = storage_new();
    stacks->python = python_names_new();
    symbols_set_root(stacks->symbols, root);
    return stacks;
}

static void free_stack(struct stack *stack)
{
    if (!stack)
        return;
    array_fini(&stack->places);
    array_fini(&stack->threads);
    free(stack->key);
    free(stack);
}

void stacks_free(struct stacks *stacks)
{
    struct known_function *function, *next;

    if (!stacks)
        return;
    HASH_ITER(hh, stacks->functions, function, next)
    {
        HASH_DEL(stacks->functions, function);
        free(function);
    }
    HASH_CLEAR(hh, stacks->by_key);
    for (size_t i = 0; i < stacks->items.count; i++)
        free_stack(*(struct stack **)array_at(&stacks->items, i));
    array_fini(&stacks->items);
    python_names_free(stacks->python);
    storage_free(stacks->storage);
    symbols_free(stacks->symbols);
    free(stacks);
}

/* ---- functions ------------------------------------------------------------------- */

static struct known_function *add_function(struct stacks *stacks, const struct text *key,
                                           const struct places_function *function)
{
    struct known_function *known = memory_get_zeros(1, sizeof *known + key->size + 1);

    memcpy(known->key, key->bytes, key->size);
    known->function = *function;
    known->function.id = known->function.row = HASH_COUNT(stacks->functions);
    known->function.name = strchr(known->key, '\n') + 1;
    HASH_ADD_STR(stacks->functions, key, known);
    return known;
}

static const char *keep(struct stacks *stacks, const char *words)
{
    return storage_keep(stacks->storage, words, strlen(words));
}

/* Returns: the one function of that name and module. */
static const struct places_function *find_function(struct stacks *stacks,
                                                   const struct places_function *function)
{
    struct known_function *known = NULL;
    struct text key;

    text_init(&key);
    text_appendf(&key, "%s\n%s", function->module ? function->module : "", function->name);
    HASH_FIND_STR(stacks->functions, key.bytes, known);
    if (!known)
        known = add_function(stacks, &key, function);
    text_fini(&key);
    return known ? &known->function : NULL;
}

/* Appends the start of a function without a name, or else the address. */
static void append_address(struct text *name, const struct image_module *module,
                           const struct symbols_frame *frame, uint64_t address)
{
    if (module)
        text_appendf(name, "%s+0x%" PRIx64, text_base_name(module->path),
                     frame->start != 0 ? frame->start : address - module->base);
    else
        text_appendf(name, "0x%" PRIx64, address);
}

/* Fills in the known data of a function besides its name. */
static void describe(struct stacks *stacks, struct places_function *function,
                     const struct image_module *module, const struct symbols_frame *frame)
{
    *function = (struct places_function){.build_id = "",
                                         .has_name = frame->function != NULL,
                                         .has_place = frame->function || frame->start != 0,
                                         .cause = frame->cause};
    if (!module)
        return;
    function->module = keep(stacks, text_base_name(module->path));
    function->build_id = keep(stacks, module->build_id);
}

/* Make a place in a function; takes over the name. */
static void set_place(struct stacks *stacks, struct place *place, struct places_function *function,
                      struct text *name, const struct symbols_frame *frame)
{
    function->name = name->bytes;
    *place = (struct place){.file = frame->file,
                            .line = frame->line,
                            .is_inlined = frame->is_inlined,
                            .offset = frame->offset,
                            .start = frame->start};
    place->function = find_function(stacks, function);
    text_fini(name);
}

static void set_native(struct stacks *stacks, struct place *place,
                       const struct image_module *module, const struct symbols_frame *frame,
                       uint64_t address)
{
    struct places_function function;
    struct text name;

    describe(stacks, &function, module, frame);
    text_init(&name);
    if (frame->function)
        text_append(&name, frame->function);
    else
        append_address(&name, module, frame, address);
    set_place(stacks, place, &function, &name, frame);
}

/* Find the names of an address: the model's. */
static void find_frames(struct stacks *stacks, const struct image_module *module, uint64_t address,
                        const struct symbols_frame **frames, size_t *count)
{
    if (!module) {
        symbols_find_compiled(stacks->symbols, &stacks->map, address, frames, count);
        return;
    }
    const struct symbols_module known = {module->path, module->build_id, module->base};
    symbols_find(stacks->symbols, &known, address, frames, count);
}

static void add_places(struct stacks *stacks, struct array *places, const struct image *image,
                       uint64_t address)
{
    const struct image_mapping *mapping = image_find(image, address);
    const struct image_module *module = mapping ? mapping->module : NULL;
    const struct symbols_frame *frames;
    size_t count;

    find_frames(stacks, module, address, &frames, &count);
    for (size_t i = 0; i < count; i++) {
        struct place *place = array_add(places);

        set_native(stacks, place, module, &frames[i], address);
    }
}

/* Code that is gone when its names are read has no place. */
static void add_python(struct stacks *stacks, struct array *places, const struct frames *frames,
                       uint32_t index)
{
    const struct symbols_frame *frame;
    python_names_find(stacks->python, frames->interpreter, &frames->items[index], &frame);
    const char *file = frame && frame->file ? frame->file : "";
    struct places_function function = {.build_id = "", .is_python = true};
    struct text name;

    if (!frame)
        return;
    function.has_name = function.has_place = frame->function != NULL;
    function.module = keep(stacks, text_base_name(file));
    struct place *place = function.module ? array_add(places) : NULL;
    text_init(&name);
    text_append(&name, frame->function ? frame->function : "?");
    set_place(stacks, place, &function, &name, frame);
}

static void fill_places(struct stacks *stacks, struct array *places,
                        const struct stacks_sight *sight)
{
    struct python_joined joined[MIXED_MOST];
    size_t count =
        sight->calls ? mixed_join(sight->calls, sight->frames, sight->image, joined) : 0;

    for (size_t i = 0; i < count; i++)
        if (joined[i].is_python)
            add_python(stacks, places, sight->frames, joined[i].index);
        else
            add_places(stacks, places, sight->image, sight->calls->addresses[joined[i].index]);
}

/* ---- stacks ---------------------------------------------------------------------- */

/* Without a line, only the function identifies the innermost call: a running thread is at another
 * instruction each time. */
static void append_key(struct text *key, const struct task *task, const struct array *places)
{
    text_appendf(key, "%s %s", task_state_word(task->state), task->call ? task->call : "");
    for (size_t i = 0; i < places->count; i++) {
        const struct place *place = array_at(places, i);

        text_appendf(key, " %u:%u", place->function->id, place->line);
        if (i > 0)
            text_appendf(key, "+%" PRIu64, place->offset);
    }
}

static struct stack *new_stack(const struct text *key, const struct stacks_sight *sight)
{
    struct stack *stack = memory_get_zeros(1, sizeof *stack);

    array_init(&stack->places, sizeof(struct place));
    array_init(&stack->threads, sizeof(struct stack_thread));
    stack->task = *sight->task;
    stack->end = sight->calls ? sight->calls->end : UNWIND_ENDS;
    if (sight->calls && sight->frames && sight->frames->is_cut)
        stack->end = UNWIND_DEEP;
    stack->key = memory_copy(key->bytes);
    if (stack->key)
        return stack;
    free_stack(stack);
    return NULL;
}

/* Takes over the places. */
static struct stack *add_stack(struct stacks *stacks, const struct text *key,
                               const struct stacks_sight *sight, struct array *places)
{
    struct stack *stack = new_stack(key, sight);
    struct stack **place = stack ? array_add(&stacks->items) : NULL;

    if (!place) {
        free_stack(stack);
        return NULL;
    }
    *place = stack;
    stack->index = (uint32_t)(stacks->items.count - 1);
    stack->places = *places;
    array_init(places, sizeof(struct place));
    HASH_ADD_KEYPTR(hh, stacks->by_key, stack->key, strlen(stack->key), stack);
    return stack;
}

static void count_thread(struct stack *stack, const struct task *task)
{
    const struct stack_thread *threads = stack->threads.items;

    stack->seen++;
    if (strcmp(stack->task.target, task->target) != 0)
        stack->task.target[0] = '\0';
    for (size_t i = 0; i < stack->threads.count; i++)
        if (threads[i].tid == task->tid)
            return;
    struct stack_thread *thread = array_add(&stack->threads);
    thread->tid = task->tid;
    memcpy(thread->name, task->name, sizeof thread->name);
}

static struct stack *find_stack(struct stacks *stacks, const struct stacks_sight *sight,
                                struct array *places)
{
    struct stack *stack = NULL;
    struct text key;

    text_init(&key);
    append_key(&key, sight->task, places);
    HASH_FIND_STR(stacks->by_key, key.bytes, stack);
    if (!stack)
        stack = add_stack(stacks, &key, sight, places);
    text_fini(&key);
    return stack;
}

void stacks_begin_look(struct stacks *stacks)
{
    python_names_forget(stacks->python);
}

const struct stack *stacks_add(struct stacks *stacks, const struct stacks_sight *sight)
{
    struct array places;
    struct stack *stack;

    array_init(&places, sizeof(struct place));
    fill_places(stacks, &places, sight);
    stack = find_stack(stacks, sight, &places);
    array_fini(&places);
    count_thread(stack, sight->task);
    return stack;
}

size_t stacks_count(const struct stacks *stacks)
{
    return stacks->items.count;
}

const struct stack *stacks_at(const struct stacks *stacks, size_t index)
{
    return *(struct stack **)array_at(&stacks->items, index);
}

const struct symbols *stacks_symbols(const struct stacks *stacks)
{
    return stacks->symbols;
}
