/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Merges the nodes of ops, and splits their texts.
 */
#include "base/memory.h"
#include "model/tallies_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_threads.h"

/* The key of an op.  Each text is stored once, so addresses identify texts. */
struct tallies_op_key {
    uint64_t parent, region, site;
    const char *text;
};

struct tallies_op {
    struct tallies_op_key key;
    uint32_t index; /* in the session's ops */
    UT_hash_handle hh;
};

void tallies_ops_fini(struct tallies *tallies)
{
    struct tallies_op *op, *next;

    HASH_ITER(hh, tallies->ops, op, next)
    {
        HASH_DEL(tallies->ops, op);
        free(op);
    }
}

void tallies_ops_begin(struct tallies *tallies)
{
    struct session_op *root = array_add(&tallies->session->ops);

    *root = (struct session_op){.name = "", .framework = ""};
}

/* Stores the part of a text before its first tab.  Fills in the text after the tab. */
static const char *keep_part(struct tallies *tallies, const char **text)
{
    const char *start = *text;
    size_t size = strcspn(start, "\t");

    *text = start[size] == '\t' ? start + size + 1 : NULL;
    return storage_keep(tallies->facts->storage, start, size);
}

/* A text without a tab is damaged or lost: it then serves as the name. */
static void name_op(struct tallies *tallies, struct session_op *op, const char *text)
{
    static const char engine[] = "autograd::engine::evaluate_function";
    const char *rest = text;
    struct op_inputs inputs;

    op->framework = strchr(text, '\t') ? keep_part(tallies, &rest) : "";
    op->name = keep_part(tallies, &rest);
    op->inputs = rest;
    op->kind = op->name ? op_kind_of(op->name) : OP_KIND_OTHER;
    inputs = op_inputs_sum(rest);
    op->most_elements = inputs.most_elements;
    if (inputs.device_size > 0)
        op->device = storage_keep(tallies->facts->storage, inputs.device, inputs.device_size);
    op->is_engine = op->name && strncmp(op->name, engine, sizeof engine - 1) == 0;
}

static struct tallies_op *new_entry(struct tallies *tallies, const struct tallies_op_key *key)
{
    struct tallies_op *entry = memory_get_zeros(1, sizeof *entry);

    entry->key = *key;
    entry->index = (uint32_t)tallies->session->ops.count;
    HASH_ADD(hh, tallies->ops, key, sizeof entry->key, entry);
    return entry;
}

/* The sites that ops came from contain more about Python code than the ops' own places. */
static void place_op(const struct session *session, struct session_op *op)
{
    const struct trace_site *site =
        op->site != 0 ? python_codes_find_site(session->python.codes, op->site) : NULL;

    op->line = op->site;
    if (!site)
        return;
    if (site->line != 0)
        op->line = TRACE_SITE_PYTHON | site->line;
    op->layer = session_find_layer(session, site->layer);
}

static void add_op(struct tallies *tallies, const struct tallies_op_key *key)
{
    struct array *ops = &tallies->session->ops;
    struct session_op *op = array_add(ops);

    op->parent = (uint32_t)key->parent;
    op->depth = ((const struct session_op *)array_at(ops, key->parent))->depth + 1;
    op->region = (uint32_t)key->region;
    op->site = key->site;
    place_op(tallies->session, op);
    name_op(tallies, op, key->text);
}

static void find_op(struct tallies *tallies, const struct tallies_op_key *key, uint32_t *index)
{
    struct tallies_op *entry;

    HASH_FIND(hh, tallies->ops, key, sizeof *key, entry);
    if (!entry) {
        entry = new_entry(tallies, key);
        add_op(tallies, key);
    }
    *index = entry->index;
}

void tallies_ops_add(struct tallies *tallies, const struct trace_node *node,
                     const struct tallies_cell *parent, struct tallies_cell *cell)
{
    const struct tallies_op_key key = {parent->op, parent->index,
                                       parent->site > 0 ? TRACE_SITE_PYTHON | parent->site : 0,
                                       facts_string(tallies->facts, node->label & ~TRACE_LABEL_OP)};
    uint64_t ns = clock_convert_length(tallies->clock, node->ticks);
    uint64_t inner_ns = clock_convert_length(tallies->clock, node->inner_ticks);
    struct session_op *op;

    find_op(tallies, &key, &cell->op);
    cell->is_op = true;
    cell->site = parent->site;
    op = array_at(&tallies->session->ops, cell->op);
    op->calls += node->calls;
    op->inclusive_ns += ns;
    op->exclusive_ns += ns > inner_ns ? ns - inner_ns : 0;
    op->allocations += node->allocations;
    op->allocated_bytes += node->allocated_bytes;
    op->frees += node->frees;
}
