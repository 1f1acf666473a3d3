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

/* An object below the one that called it.  Layer 0 stands for none. */
struct session_layer {
    const char *name; /* its class */
    const char *path; /* the attributes of the layer around that lead to it; NULL: not known */
    uint32_t id;      /* in the trace */
    uint32_t outer;   /* index of the layer around */
    uint32_t number;  /* of its class there, from 1, by their first calls */
    bool has_twins;   /* there are several of its class */
};

/* Add one whose texts live as long as the session; `path` may be NULL. */
void session_add_layer(struct session *session, const struct trace_layer *fact, const char *name,
                       const char *path);

/* Returns: the index of a layer; 0 of one that is not known. */
uint32_t session_find_layer(const struct session *session, uint32_t id);

/* Append "Net/Sequential#2/Linear", without a number where it is the only one of its class; and
 * where paths are known, "Net/encoder.layers.0". */
void session_append_layer(struct text *text, const struct session *session, uint32_t index);

#endif
