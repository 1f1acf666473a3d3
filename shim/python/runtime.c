/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beginning and ending to read the frames of a Python.
 */
#include "python/runtime.h"

#include <stdatomic.h>
#include <stddef.h>

#include "platform/readable.h"
#include "python/codes.h"
#include "python/frames.h"
#include "record/facts.h"
#include "record/settings.h"

enum { FIRST_OWN_CURRENT = 0x030c0000 /* from 3.12 on each thread has its own current state */ };
enum { STRANGE_MOST = 16 };

static struct trace_python fact;
static atomic_uint changes;
static atomic_uint paused_mode;
static atomic_uint strange_count;

static const uint64_t *runtime_words(const void *runtime)
{
    size_t size = PYTHON_OFFSETS_WORDS * sizeof(uint64_t);

    return runtime && readable((uintptr_t)runtime, size) ? runtime : NULL;
}

static enum trace_python_off examine(const struct python_symbols *symbols)
{
    enum trace_python_off off;

    if (!settings.python)
        return TRACE_PYTHON_OFF_ASKED;
    if (symbols->is_pypy)
        return TRACE_PYTHON_OFF_PYPY;
    if (symbols->version == 0)
        return TRACE_PYTHON_OFF_OLD;
    off = python_layout_find(&python.layout, symbols->version, runtime_words(symbols->runtime));
    if (off != TRACE_PYTHON_OFF_NONE)
        return off;
    if (!symbols->own_thread || symbols->code_type == 0 || !symbols->may_watch)
        return TRACE_PYTHON_OFF_SYMBOLS;
    python.own_thread = symbols->own_thread;
    python.current_thread =
        symbols->current_thread ? symbols->current_thread : symbols->own_thread;
    python.code_type = symbols->code_type;
    python.is_any_current = symbols->version < FIRST_OWN_CURRENT;
    atomic_fetch_add(&codes_gone, 1); /* and so are frames of another Python */
    return codes_begin(symbols->code_type) ? TRACE_PYTHON_OFF_NONE : TRACE_PYTHON_OFF_MEMORY;
}

void python_begin(const struct python_symbols *symbols)
{
    atomic_store(&python_mode, PYTHON_IS_OFF);
    fact = (struct trace_python){.version = symbols->version,
                                 .off = examine(symbols),
                                 .module = symbols->module,
                                 .loop_start = symbols->loop.start,
                                 .loop_end = symbols->loop.end,
                                 .rest_start = symbols->rest.start,
                                 .rest_end = symbols->rest.end};
    atomic_fetch_add(&changes, 1);
    if (fact.off == TRACE_PYTHON_OFF_NONE)
        atomic_store(&python_mode, PYTHON_IS_UNPROVEN);
}

void python_end(enum trace_python_off reason)
{
    atomic_store(&python_mode, PYTHON_IS_OFF);
    fact.off = reason;
    atomic_fetch_add(&changes, 1);
}

void python_pause(void)
{
    unsigned mode = atomic_exchange(&python_mode, PYTHON_IS_OFF);

    if (mode != PYTHON_IS_OFF)
        atomic_store(&paused_mode, mode);
}

void python_go_on(void)
{
    unsigned mode = atomic_exchange(&paused_mode, PYTHON_IS_OFF);

    if (mode != PYTHON_IS_OFF)
        atomic_store(&python_mode, mode);
}

bool python_write_facts(unsigned *written)
{
    unsigned now = atomic_load(&changes);

    if (*written != now && facts_write(TRACE_FACT_PYTHON, &fact, sizeof fact, NULL, 0))
        *written = now;
    return *written == now;
}

void python_note_proof(bool is_right)
{
    unsigned unproven = PYTHON_IS_UNPROVEN;

    if (LIKELY(atomic_load_explicit(&python_mode, memory_order_relaxed) == PYTHON_IS_ON))
        return;
    if (is_right)
        atomic_compare_exchange_strong(&python_mode, &unproven, PYTHON_IS_ON);
    else if (atomic_fetch_add(&strange_count, 1) + 1 == STRANGE_MOST)
        python_end(TRACE_PYTHON_OFF_STRANGE);
}
