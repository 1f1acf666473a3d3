/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The call chains of a session: a tree of calls, and the place of each in the source.
 */
#ifndef MODEL_SESSION_CHAINS_H
#define MODEL_SESSION_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct symbols_frame;

enum session_call_kind {
    SESSION_CALL_ROOT, /* only for call 0 */
    SESSION_CALL_PLAIN,
    SESSION_CALL_CUT, /* represents missing outer calls of chains with too many calls */
    SESSION_CALL_LOST, /* represents the outer calls that could not be unwound; its address is enum
                          trace_chain_end */
    SESSION_CALL_UNDRAWN /* represents the calls of blocks without a drawn block */
};

/* A call in the calling context tree, merged over threads and epochs: two calls
 * are one if their parents, modules and addresses are equal. */
struct session_call {
    uint64_t address; /* inside the calling instruction, so that its line is the call's */
    uint32_t parent;  /* index in calls, lower than its own; call 0 is its own parent */
    uint32_t depth;   /* depth of call 0: 0 */
    uint32_t module;  /* index in modules, or SESSION_NONE */
    uint32_t binding; /* index in bindings, if this frame is the wrapper of that kernel; else
                         SESSION_NONE */
    uint32_t kernel;  /* its binding, or that of the nearest outer call with one */
    uint8_t kind;     /* enum session_call_kind */
    uint8_t end;      /* end of its chain: enum trace_chain_end */
    bool is_shim;     /* a frame of the shim: that wrapper, or a call inside of it */
};

/* Find the place of a call in the source: see symbols_find.  Inlined frames come innermost
 * first. */
void session_find_frames(const struct session *session, uint32_t call,
                         const struct symbols_frame **frames, size_t *count);

/* The same for a return address.  Shape: no frames when the session has no symbols. */
void session_find_site_frames(const struct session *session, uint64_t site,
                              const struct symbols_frame **frames, size_t *count);

/* Find the Python function that made a call; `frame` is NULL if there is none, or if it has no
 * name. */
void session_find_site_python(const struct session *session, uint64_t site,
                              const struct symbols_frame **frame);

#endif
