/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts of known versions, and the table of offsets that later ones have.
 *
 * Source: Include/internal/pycore_runtime.h of 3.13, pycore_debug_offsets.h of 3.14 (PEP 768).
 */
#include "spec/python_layout.h"

#include <stddef.h>
#include <string.h>

enum { MINOR_SHIFT = 16, MAJOR_SHIFT = 24, MAJOR = 3, OFFSET_MOST = 4096 };

static const struct {
    uint32_t minor;
    struct python_layout layout;
} rows[] = {
#define PYTHON_LAYOUT(minor_version, cframe, current, code, before, instruction, locals, holder, \
                      entry, file, name, lines, first, start, text, wide, interpreters, next,      \
                      threads, collecting, after, interpreter, number)                             \
    {minor_version,                                                                               \
     {.thread_frame = (cframe),                                                                   \
      .cframe_frame = (current),                                                                  \
      .frame_code = (code),                                                                       \
      .frame_previous = (before),                                                                 \
      .frame_instruction = (instruction),                                                         \
      .frame_locals = (locals),                                                                    \
      .frame_owner = (holder),                                                                    \
      .frame_is_entry = (entry),                                                                  \
      .code_file = (file),                                                                        \
      .code_name = (name),                                                                        \
      .code_lines = (lines),                                                                      \
      .code_first_line = (first),                                                                 \
      .code_start = (start),                                                                      \
      .text_size = (text),                                                                        \
      .wide_size = (wide),                                                                        \
      .runtime_interpreters = (interpreters),                                                     \
      .interpreter_next = (next),                                                                 \
      .interpreter_threads = (threads),                                                           \
      .interpreter_collecting = (collecting),                                                     \
      .thread_next = (after),                                                                     \
      .thread_interpreter = (interpreter),                                                        \
      .thread_number = (number),                                                                  \
      .has_cframe = true}},
#include "spec/python_layout.def"
#undef PYTHON_LAYOUT
};

/* The first words of _Py_DebugOffsets: the cookie, the version, whether there is no GIL; then
 * groups of words.  3.14 has more words: three for an interpreter, two for a frame, one for a code
 * object, and a group for sets. */
struct offsets_shape {
    uint32_t minor;
    unsigned interpreter_gc; /* words */
    unsigned thread;         /* the words at which groups start */
    unsigned frame;
    unsigned code;
    unsigned gc;
};

enum {
    COOKIE,
    VERSION,
    FREE_THREADED,
    RUNTIME = 3,
    INTERPRETER = 6,
    /* In their groups, behind the size. */
    RUNTIME_INTERPRETERS = 2,
    INTERPRETER_NEXT = 2,
    INTERPRETER_THREADS = 3,
    THREAD_NEXT = 2,
    THREAD_INTERPRETER = 3,
    THREAD_FRAME = 4,
    THREAD_NUMBER = 6,
    FRAME_PREVIOUS = 1,
    FRAME_CODE = 2,
    FRAME_INSTRUCTION = 3,
    FRAME_LOCALS = 4,
    FRAME_OWNER = 5,
    CODE_FILE = 1,
    CODE_NAME = 3,
    CODE_LINES = 4,
    CODE_FIRST_LINE = 5,
    CODE_START = 9,
    GC_COLLECTING = 1,
    /* Not in the table as of 3.13. */
    TEXT_HEADER = 40,
    WIDE_HEADER = 56
};

static const struct offsets_shape shapes[] = {
    {13, 10, 19, 28, 34, 71},
    {14, 11, 22, 31, 39, 81},
};

static bool are_plausible(const struct python_layout *layout)
{
    const uint32_t all[] = {
        layout->thread_frame,       layout->frame_code,   layout->frame_previous,
        layout->frame_instruction,  layout->frame_locals, layout->frame_owner,
        layout->code_file,          layout->code_name,    layout->code_lines,
        layout->code_first_line,    layout->code_start,   layout->thread_next,
        layout->thread_interpreter, layout->thread_number};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] > OFFSET_MOST)
            return false;
    return layout->runtime_interpreters != 0 && layout->frame_previous != layout->frame_code &&
           layout->thread_frame != 0 && layout->code_file != layout->code_name &&
           layout->code_start > layout->code_lines;
}

static enum trace_python_off read_offsets(struct python_layout *layout, uint32_t version,
                                          const uint64_t *words,
                                          const struct offsets_shape *shape)
{
    const uint64_t *thread = words + shape->thread;
    const uint64_t *frame = words + shape->frame;
    const uint64_t *code = words + shape->code;

    if (memcmp(&words[COOKIE], "xdebugpy", sizeof *words) != 0 || words[VERSION] != version)
        return TRACE_PYTHON_OFF_OFFSETS;
    if (words[FREE_THREADED] != 0)
        return TRACE_PYTHON_OFF_FREE_THREADED;
    *layout = (struct python_layout){
        .thread_frame = (uint32_t)thread[THREAD_FRAME],
        .frame_code = (uint32_t)frame[FRAME_CODE],
        .frame_previous = (uint32_t)frame[FRAME_PREVIOUS],
        .frame_instruction = (uint32_t)frame[FRAME_INSTRUCTION],
        .frame_locals = (uint32_t)frame[FRAME_LOCALS],
        .frame_owner = (uint32_t)frame[FRAME_OWNER],
        .code_file = (uint32_t)code[CODE_FILE],
        .code_name = (uint32_t)code[CODE_NAME],
        .code_lines = (uint32_t)code[CODE_LINES],
        .code_first_line = (uint32_t)code[CODE_FIRST_LINE],
        .code_start = (uint32_t)code[CODE_START],
        .text_size = TEXT_HEADER,
        .wide_size = WIDE_HEADER,
        .runtime_interpreters = (uint32_t)words[RUNTIME + RUNTIME_INTERPRETERS],
        .interpreter_next = (uint32_t)words[INTERPRETER + INTERPRETER_NEXT],
        .interpreter_threads = (uint32_t)words[INTERPRETER + INTERPRETER_THREADS],
        .interpreter_collecting =
            (uint32_t)(words[shape->interpreter_gc] + words[shape->gc + GC_COLLECTING]),
        .thread_next = (uint32_t)thread[THREAD_NEXT],
        .thread_interpreter = (uint32_t)thread[THREAD_INTERPRETER],
        .thread_number = (uint32_t)thread[THREAD_NUMBER],
    };
    return are_plausible(layout) ? TRACE_PYTHON_OFF_NONE : TRACE_PYTHON_OFF_OFFSETS;
}

enum trace_python_off python_layout_find(struct python_layout *layout, uint32_t version,
                                         const uint64_t *runtime)
{
    uint32_t minor = version >> MINOR_SHIFT & 0xff;

    if (version >> MAJOR_SHIFT != MAJOR)
        return TRACE_PYTHON_OFF_VERSION;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].minor == minor) {
            *layout = rows[i].layout;
            return TRACE_PYTHON_OFF_NONE;
        }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].minor == minor)
            return runtime ? read_offsets(layout, version, runtime, &shapes[i])
                           : TRACE_PYTHON_OFF_OFFSETS;
    return TRACE_PYTHON_OFF_VERSION;
}
