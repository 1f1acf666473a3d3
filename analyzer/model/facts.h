/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The facts of a trace: the process, its modules, its bindings, texts and the
 * catalog.
 */
#ifndef MODEL_FACTS_H
#define MODEL_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "model/clock.h"
#include "model/id_map.h"
#include "model/session_spans.h"
#include "reader/reader.h"
#include "symbols/storage.h"

struct session;

/* The kernel and the shape of an object's execution. */
struct facts_shape {
    uint32_t kernel; /* in the catalog, if it is that large */
    unsigned count;
    int64_t values[CATALOG_SHAPE_MAX];
    const char *implementation; /* NULL when there is none */
};

/* The file, socket or pipe of a descriptor. */
struct facts_waited {
    const char *name;
    enum trace_waited_kind kind;
    uint64_t inode; /* inode of a pipe; 0: unknown */
};

struct facts {
    struct session *session;
    struct storage *storage;
    struct array strings; /* const char * */
    struct id_map string_ids;
    struct id_map module_ids;
    struct id_map binding_ids;
    struct id_map shape_ids;
    struct array raw_bindings; /* of struct trace_binding, as session->bindings */
    struct array raw_hooks;    /* of struct trace_hook, as session->hooks */
    struct array raw_gone;     /* of struct trace_gone */
    struct array looks;        /* of struct trace_range */
    struct id_map look_ids;    /* by their labels */
    struct array waited;       /* of struct facts_waited */
    struct id_map waited_ids;
    struct array shapes;       /* of struct facts_shape */
    struct text catalog;       /* the trace's catalog in plain text */
    struct text packed;        /* the frame of zstd with the first part of the catalog */
    bool is_catalog_cut;       /* the frame has no end */
    uint64_t bad_facts;        /* facts that made no sense */
    uint64_t unknown_bindings; /* bindings of called kernels without a fact */
    uint64_t unknown_shapes;   /* shapes of slots without a fact */
};

/* Start with no facts; the facts go to this session and storage. */
void facts_init(struct facts *facts, struct session *session, struct storage *storage);

void facts_fini(struct facts *facts);

/* Read all facts of a trace, and the catalog in them.
 */
enum status facts_read(struct facts *facts, const struct reader *reader) MUST_CHECK;

/* Fill in the times and names of incidents, once all facts are read. */
void facts_settle_incidents(struct facts *facts, const struct clock *clock);

/* Give the text with a string's number; SESSION_NAME_LOST if a part of the trace cannot be read,
 * otherwise "?". */
const char *facts_string(const struct facts *facts, uint64_t id);

/* Give the kernel with a number; NULL when the catalog has none. */
const struct catalog_kernel *facts_find_kernel(const struct facts *facts, uint32_t index);

/* Find the binding with a number, or make an unknown one. */
void facts_find_binding(struct facts *facts, uint32_t id, uint32_t *index);

/* Find the shape with a number; NULL when the trace lacks it, which is counted.
 * Safety: valid until the facts are freed, once all facts are read. */
const struct facts_shape *facts_find_shape(struct facts *facts, uint64_t id);

/* Fill in colour and category of a range by its label. */
void facts_find_look(const struct facts *facts, uint32_t label, struct session_look *look);

/* Find the file, socket or pipe of a descriptor.  Its name is NULL if unknown. */
struct facts_waited facts_find_waited(const struct facts *facts, uint32_t id);

/* Point the hooks at their modules and bindings, once all bindings are added. */
void facts_link_hooks(struct facts *facts);

#endif
