/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joins the two parts of a chain: the machine's frames and those of Python code.
 *
 *     the machine's, innermost first     Python's          joined
 *     dot_product (numpy)                                  dot_product
 *     PyObject_Call (python3.11)                           step          train.py:12
 *     _PyEval_EvalFrameDefault           step              epoch         train.py:30
 *                                        epoch, entry      sort_rows (another library)
 *     sort_rows (another library)                          <module>      train.py:44
 *     _PyEval_EvalFrameDefault           <module>, entry   __libc_start_main
 *     Py_BytesMain (python3.11)
 *     __libc_start_main
 *
 * One call of the interpreter's loop runs Python frames up to its entry frame.  If the numbers of
 * loops and entry frames differ, all Python frames replace the innermost loop, or the interpreter:
 * their order is right, but frames between them are unknown.  The other frames of the interpreter's
 * file are internal and left out.  A chain that could not be unwound to its end continues with
 * Python's frames.
 *
 * Decision: doc/decisions/python-frames.
 */
#ifndef MODEL_PYTHON_JOIN_H
#define MODEL_PYTHON_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A frame of the machine. */
enum python_join_kind {
    PYTHON_JOIN_OTHER,
    PYTHON_JOIN_INTERPRETER, /* in Python's own file */
    PYTHON_JOIN_LOOP         /* the loop that runs Python code */
};

/* A frame of the joined chain. */
struct python_joined {
    bool is_python;
    uint32_t index; /* among those of its kind */
};

struct python_join {
    /* To be filled in; frames come innermost first. */
    enum python_join_kind (*kind_of)(const void *of, uint32_t native);
    bool (*is_entry)(const void *of, uint32_t python); /* an entry frame */
    const void *of;
    uint32_t native_count;
    uint32_t python_count;
    bool is_native_whole; /* up to the thread's start */
    bool is_python_whole;
    /* The result. */
    struct python_joined *joined; /* has room for `room` items */
    uint32_t room;
    uint32_t count;
};

/* Join the frames; frames without room are left out. */
void python_join(struct python_join *join);

#endif
