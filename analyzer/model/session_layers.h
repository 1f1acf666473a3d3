/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers of a session: objects whose calls ran ops, such as modules of torch.nn.
 */
#ifndef MODEL_SESSION_LAYERS_H
#define MODEL_SESSION_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "spec/trace.h"

struct session;
struct text;

/* An object below the one that called it.  Layer 0 means none. */
struct session_layer {
    const char *name; /* its class */
    const char *path; /* its attribute path in the outer layer; NULL: unknown */
    uint32_t id;      /* in the trace */
    uint32_t outer;   /* index of the outer layer */
    uint32_t number;  /* number among layers of its class there, from 1, in the order of their first
                         calls */
    bool has_twins;   /* other layers there have the same class */
};

/* Add a layer whose texts live as long as the session; `path` may be NULL. */
void session_add_layer(struct session *session, const struct trace_layer *fact, const char *name,
                       const char *path);

/* Returns: the index of a layer; 0 for an unknown one. */
uint32_t session_find_layer(const struct session *session, uint32_t id);

/* Append "Net/Sequential#2/Linear", without a number if it is the only one of its class; or, with
 * known paths, "Net/encoder.layers.0". */
void session_append_layer(struct text *text, const struct session *session, uint32_t index);

#endif
