/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matches the parts of two sides.
 */
#include "compare/pair.h"

#include <math.h>
#include <string.h>

#include "base/text_index.h"

struct laying {
    struct pair *pair;
    struct text_index seats; /* the parts by subject, name and shape */
    struct text key;
};

static struct pair_part *add_part(struct laying *laying, const struct run_row *row)
{
    struct pair_part *part = array_add(&laying->pair->parts);

    part->subject = row->subject;
    part->name = row->name;
    part->shape = row->shape;
    array_init(&part->base, sizeof(const struct run_row *));
    array_init(&part->changed, sizeof(const struct run_row *));
    return part;
}

/* Returns: the part of a row, made when there is none. */
static struct pair_part *get_part(struct laying *laying, const struct run_row *row)
{
    long number;

    text_clear(&laying->key);
    text_appendf(&laying->key, "%d ", (int)row->subject);
    text_index_append_part(&laying->key, row->name);
    text_index_append_part(&laying->key, row->shape);
    number = text_index_add(&laying->seats, &laying->key);
    if ((size_t)number == laying->pair->parts.count)
        return add_part(laying, row);
    return array_at(&laying->pair->parts, (size_t)number);
}

static void add_run(struct laying *laying, const struct run *run, bool is_base)
{
    for (size_t i = 0; i < run->rows.count; i++) {
        const struct run_row *row = array_at(&run->rows, i), **seat;
        struct pair_part *part = get_part(laying, row);

        seat = array_add(is_base ? &part->base : &part->changed);
        *seat = row;
    }
}

static void add_side(struct laying *laying, const struct run_side *side, bool is_base)
{
    for (size_t i = 0; i < side->runs.count; i++)
        add_run(laying, array_at(&side->runs, i), is_base);
}

void pair_init(struct pair *pair, const struct run_side *base, const struct run_side *changed)
{
    struct laying laying = {.pair = pair};

    *pair = (struct pair){.base = base, .changed = changed};
    array_init(&pair->parts, sizeof(struct pair_part));
    text_init(&laying.key);
    add_side(&laying, base, true);
    add_side(&laying, changed, false);
    text_index_fini(&laying.seats);
    text_fini(&laying.key);
}

void pair_fini(struct pair *pair)
{
    for (size_t i = 0; i < pair->parts.count; i++) {
        struct pair_part *part = array_at(&pair->parts, i);

        array_fini(&part->base);
        array_fini(&part->changed);
    }
    array_fini(&pair->parts);
}

const struct pair_part *pair_find(const struct pair *pair, enum run_subject subject,
                                  const char *name, const char *shape)
{
    for (size_t i = 0; i < pair->parts.count; i++) {
        const struct pair_part *part = array_at(&pair->parts, i);

        if (part->subject == subject && strcmp(part->name, name) == 0 &&
            strcmp(part->shape, shape) == 0)
            return part;
    }
    return NULL;
}

static bool is_known(const struct array *rows, enum run_quantity quantity)
{
    for (size_t i = 0; i < rows->count; i++)
        if (!isnan((*(const struct run_row **)array_at(rows, i))->values[quantity]))
            return true;
    return false;
}

bool pair_part_knows(const struct pair_part *part, enum run_quantity quantity)
{
    return is_known(&part->base, quantity) && is_known(&part->changed, quantity);
}

bool pair_part_is_new(const struct pair_part *part)
{
    return part->base.count == 0;
}

bool pair_part_is_missing(const struct pair_part *part)
{
    return part->changed.count == 0;
}

void pair_part_append(struct text *text, const struct pair_part *part)
{
    switch (part->subject) {
    case RUN_WHOLE: text_append(text, "the whole run"); break;
    case RUN_KERNEL:
        text_appendf(text, "%s%s%s", part->name, part->shape[0] ? " " : "", part->shape);
        break;
    case RUN_REGION: text_appendf(text, "region %s", part->name); break;
    case RUN_OP: text_appendf(text, "op %s", part->name); break;
    case RUN_COMMAND: text_appendf(text, "command %s", part->name); break;
    case RUN_FUNCTION: text_appendf(text, "function %s", part->name); break;
    case RUN_METRIC: text_appendf(text, "metric %s", part->name); break;
    case RUN_OPERATION: text_appendf(text, "operation %s", part->name); break;
    }
}
