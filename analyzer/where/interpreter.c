/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPython by the symbols that a module exports, as the shim finds it in its own process.
 *
 * The lists of interpreters and threads are read while the process runs, so they may lead anywhere.
 * A state is chosen by the number that Linux gave its thread.
 */
#include "where/interpreter.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "where/dynamic.h"
#include "where/image.h"
#include "where/proc_text.h"
#include "where/unwind.h"

enum { INTERPRETERS_MOST = 256, THREADS_MOST = 16384, LOOP_MOST = 1 << 20 };

struct interpreter_thread {
    uint64_t state;
    uint64_t number; /* in the process's own view */
};

static bool read_word(const struct interpreter *interpreter, uint64_t address, uint64_t *word)
{
    return image_read_now(interpreter->image, address, word, sizeof *word);
}

/* ---- exported symbols -------------------------------------------------------------- */

static bool find_rest(void *of, uint64_t address, struct python_range *range)
{
    return unwind_find_function(of, address, &range->start, &range->end);
}

static void find_loop(struct interpreter *interpreter, const struct dynamic *dynamic,
                      struct unwind *unwind)
{
    struct dynamic_symbol symbol;
    unsigned char *code;

    if (!dynamic_find(dynamic, "_PyEval_EvalFrameDefault", &symbol) || symbol.size > LOOP_MOST)
        return;
    interpreter->loop = (struct python_range){symbol.address, symbol.address + symbol.size};
    code = memory_get(symbol.size + 1);
    if (image_read(interpreter->image, symbol.address, code, symbol.size))
        interpreter->rest = python_loop_find_rest(code, interpreter->loop, find_rest, unwind);
    free(code);
}

/* Up to 3.12 the words are no table, and not read. */
static enum trace_python_off find_layout(struct interpreter *interpreter, uint64_t runtime,
                                         uint32_t version)
{
    uint64_t words[PYTHON_OFFSETS_WORDS];
    bool is_read = image_read_now(interpreter->image, runtime, words, sizeof words);

    return python_layout_find(&interpreter->layout, version, is_read ? words : NULL);
}

/* Returns: the address of the runtime; 0: frames are not read. */
static uint64_t examine(struct interpreter *interpreter, const struct dynamic *dynamic,
                        struct unwind *unwind)
{
    struct dynamic_symbol version, runtime, type;
    uint64_t number;

    interpreter->off = TRACE_PYTHON_OFF_OLD;
    if (!dynamic_find(dynamic, "Py_Version", &version) ||
        !read_word(interpreter, version.address, &number))
        return 0;
    interpreter->off = TRACE_PYTHON_OFF_SYMBOLS;
    if (!dynamic_find(dynamic, "_PyRuntime", &runtime) ||
        !dynamic_find(dynamic, "PyCode_Type", &type))
        return 0;
    interpreter->code_type = type.address;
    find_loop(interpreter, dynamic, unwind);
    interpreter->off = find_layout(interpreter, runtime.address, (uint32_t)number);
    return interpreter->off == TRACE_PYTHON_OFF_NONE ? runtime.address : 0;
}

static uint64_t find_runtime(struct interpreter *interpreter, struct unwind *unwind)
{
    struct dynamic_symbol symbol;
    struct dynamic dynamic;

    for (size_t i = 0; i < image_module_count(interpreter->image); i++) {
        const struct image_module *module = image_module_at(interpreter->image, i);

        if (!dynamic_open(&dynamic, interpreter->image, module))
            continue;
        if (dynamic_find(&dynamic, "pypy_main_startup", &symbol))
            interpreter->off = TRACE_PYTHON_OFF_PYPY;
        if (!dynamic_find(&dynamic, "PyEval_EvalCode", &symbol) ||
            !dynamic_find(&dynamic, "Py_GetVersion", &symbol))
            continue;
        interpreter->module = module;
        return examine(interpreter, &dynamic, unwind);
    }
    return 0;
}

/* ---- threads --------------------------------------------------------------------- */

static void add_threads(struct interpreter *interpreter, uint64_t state)
{
    const struct python_layout *layout = &interpreter->layout;
    uint64_t next, number;

    for (; state != 0 && interpreter->threads.count < THREADS_MOST; state = next) {
        if (!read_word(interpreter, state + layout->thread_next, &next) ||
            !read_word(interpreter, state + layout->thread_number, &number))
            return;
        struct interpreter_thread *thread = array_add(&interpreter->threads);
        *thread = (struct interpreter_thread){state, number};
    }
}

static void list_threads(struct interpreter *interpreter, uint64_t runtime)
{
    const struct python_layout *layout = &interpreter->layout;
    uint64_t at, first;

    if (!read_word(interpreter, runtime + layout->runtime_interpreters, &at))
        return;
    for (unsigned i = 0; at != 0 && i < INTERPRETERS_MOST; i++) {
        if (read_word(interpreter, at + layout->interpreter_threads, &first))
            add_threads(interpreter, first);
        if (!read_word(interpreter, at + layout->interpreter_next, &at))
            return;
    }
}

/* In a container a thread has one more number, which comes last. */
static uint64_t number_inside(pid_t pid, pid_t tid)
{
    char text[PROC_TEXT_SIZE];
    const char *numbers = proc_text_read(pid, tid, "status", text)
                              ? proc_text_find(text, "NSpid")
                              : NULL;
    uint64_t number = (uint64_t)tid;

    while (numbers && *numbers >= '0' && *numbers <= '9') {
        char *end;

        number = strtoull(numbers, &end, 10);
        numbers = end + strspn(end, "\t ");
    }
    return number;
}

void interpreter_open(struct interpreter *interpreter, struct image *image, pid_t pid,
                      struct unwind *unwind)
{
    uint64_t runtime;

    *interpreter = (struct interpreter){.image = image, .pid = pid};
    array_init(&interpreter->threads, sizeof(struct interpreter_thread));
    runtime = find_runtime(interpreter, unwind);
    interpreter->has_own_numbers = runtime != 0 && number_inside(pid, pid) != (uint64_t)pid;
    if (runtime != 0)
        list_threads(interpreter, runtime);
}

void interpreter_close(struct interpreter *interpreter)
{
    array_fini(&interpreter->threads);
}

/* A forked child has one thread, whose state may still have the number from its parent. */
uint64_t interpreter_find_thread(const struct interpreter *interpreter, pid_t tid)
{
    const struct interpreter_thread *threads = interpreter->threads.items;
    uint64_t number;

    if (interpreter->threads.count == 0)
        return 0;
    number = interpreter->has_own_numbers ? number_inside(interpreter->pid, tid) : (uint64_t)tid;
    for (size_t i = 0; i < interpreter->threads.count; i++)
        if (threads[i].number == number)
            return threads[i].state;
    return interpreter->threads.count == 1 && tid == interpreter->pid ? threads[0].state : 0;
}

bool interpreter_is_code(const struct interpreter *interpreter, uint64_t address)
{
    uint64_t type;

    return address % sizeof type == 0 && read_word(interpreter, address + PYTHON_TYPE, &type) &&
           type == interpreter->code_type;
}
