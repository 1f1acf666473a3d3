/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The call chains of a session: a tree of calls, and where each stands in the source.
 */
#ifndef MODEL_SESSION_CHAINS_H
#define MODEL_SESSION_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct symbols_frame;

enum session_call_kind {
    SESSION_CALL_ROOT, /* call 0 alone */
    SESSION_CALL_PLAIN,
    SESSION_CALL_CUT, /* stands for the outer calls that chains of too many calls lack */
    SESSION_CALL_LOST, /* stands for the outer calls that could not be unwound; its address is
                          enum trace_chain_end */
    SESSION_CALL_UNDRAWN /* stands for the calls of blocks that no drawn block stands for */
};

/* A call in the calling context tree, merged over threads and epochs: two
 * calls are one when their parents, modules and addresses are. */
struct session_call {
    uint64_t address; /* inside the calling instruction, so that its line is the call's */
    uint32_t parent;  /* index in calls, below its own; of call 0 itself */
    uint32_t depth;   /* of call 0: 0 */
    uint32_t module;  /* index in modules, or SESSION_NONE */
    uint32_t binding; /* index in bindings: this frame is the wrapper of that kernel; else
                         SESSION_NONE */
    uint32_t kernel;  /* the binding of it, or of the first of those around it that has one */
    uint8_t kind;     /* enum session_call_kind */
    uint8_t end;      /* of its chain: enum trace_chain_end */
    bool is_shim;     /* a frame of the shim: that wrapper, or what it calls on the way */
};

/* Where a call stands in the source: see symbols_find.  Frames that were
 * inlined into one another come innermost first. */
void session_find_frames(const struct session *session, uint32_t call,
                         const struct symbols_frame **frames, size_t *count);

/* The same of a return address.  Shape: no frames when the session has no symbols. */
void session_find_site_frames(const struct session *session, uint64_t site,
                              const struct symbols_frame **frames, size_t *count);

/* Find the function of Python code that a call comes from; `frame` is NULL where it comes from
 * none, or from one without a name. */
void session_find_site_python(const struct session *session, uint64_t site,
                              const struct symbols_frame **frame);

#endif
