/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time as a tree of functions.
 *
 * Each sample with a chain is a way from the outermost function to its own row, or back.  Nodes
 * of one name under one parent are one.  Frames inside of a kernel are the kernel's, and those
 * that only start a program or a thread are left out.  Ops of PyTorch stand for its own functions.
 */
#include "time/time_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/branches.h"
#include "base/text.h"
#include "figures/cpu_table.h"
#include "figures/cpu_time.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"
#include "model/storage.h"

enum column_index { TOTAL_SHARE, SHARE, TOTAL, SELF, DEPTH, NAME, LIBRARY };

static const struct column columns[] = {
    [TOTAL_SHARE] = {"total_share", "total", "of the processor time, with the rows below",
                     UNIT_FRACTION, 0},
    [SHARE] = {"share", "self", "of the processor time, in the row itself", UNIT_FRACTION, 1},
    [TOTAL] = {"total_ns", "total time", "processor time with the rows below", UNIT_NS, 2},
    [SELF] = {"self_ns", "self time", "processor time in the row itself", UNIT_NS, 3},
    [DEPTH] = {"depth", NULL, "of the row in the tree, from 0 on", UNIT_COUNT, 0},
    [NAME] = {"name", "name", "function or op, or what has the time", UNIT_TEXT, 0},
    [LIBRARY] = {"library", "library", "file that has the code", UNIT_TEXT, 4},
};

const struct table_schema time_tree_schema = {"time", "Processor time", columns,
                                              sizeof columns / sizeof *columns, NULL};

enum { NAME_SIZE = 200, DEPTH_MAX = 512, INDENT = 1 };

/* A row of the cpu_time, or a function on the way there.  Names are kept once: equal texts have
 * equal addresses, which tell nodes apart. */
struct node {
    struct branch branch;
    const char *name;
    const char *library;
    double self_ns, total_ns;
};

/* A function or a row on the way of a sample. */
struct step {
    const char *name;
    const char *library;
};

struct tree {
    const struct cpu_time *time;
    const struct time_tree_options *options;
    struct node root;
    struct branches branches;
    struct array way; /* of struct step, of one sample, the innermost first */
    bool is_past;     /* its innermost function, which its row stands for */
};

static struct node *find_node(struct tree *tree, struct node *parent, const struct step *step)
{
    struct branch *branch = branches_get(&tree->branches, &parent->branch, (uintptr_t)step->name);
    struct node *node = (struct node *)branch;

    if (node) {
        node->name = step->name;
        node->library = step->library;
    }
    return node;
}

static enum status add_step(struct tree *tree, const char *name, const char *library)
{
    struct step *step = array_add(&tree->way);

    if (!step)
        return STATUS_OUT_OF_MEMORY;
    *step = (struct step){name, library};
    return STATUS_OK;
}

/* As rows are called, so that a function is one node, with time of its own and without. */
static const char *name_place(const struct tree *tree, const struct place *place)
{
    const char *kept = NULL;
    struct text name;

    text_init(&name);
    places_append_function(&name, place->function, false);
    if (!text_status(&name))
        kept = storage_keep(tree->time->texts, name.bytes, name.size);
    text_fini(&name);
    return kept;
}

/* A sample's own row is the innermost step, and not a step again: what has no name is called by
 * its caller there. */
static bool is_own(const struct tree *tree, const struct cpu_row *row, const char *name)
{
    return tree->way.count == 1 && !tree->is_past &&
           (name == row->name || row->kind == CPU_RANGE || row->kind == CPU_GENERATED);
}

static enum status add_places(struct tree *tree, const struct call_places *places,
                              const struct cpu_row *row)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; places && i < places->count && !status; i++) {
        const struct place *place = &places->places[i];
        const char *name = name_place(tree, place);

        if (!name)
            return STATUS_OUT_OF_MEMORY;
        if (place->function->is_starter || is_own(tree, row, name))
            tree->is_past = true;
        else
            status = add_step(tree, name, place->function->module);
    }
    return status;
}

/* ---- ops ---- */

static bool is_of_framework(const struct session *session, uint32_t module)
{
    static const char *const begins[] = {"libtorch", "libc10"};
    const char *name = module == SESSION_NONE
                           ? ""
                           : text_base_name(session_module_at(session, module)->path);

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static bool is_python(const struct cpu_time *time, uint32_t call)
{
    const struct call_places *places = places_known(time->places, call);

    return places && places->count > 0 && places->places[0].function->is_python;
}

/* Returns: the call around all of a framework's own functions, which its ops stand for. */
static uint32_t leave_framework(const struct cpu_time *time, uint32_t call)
{
    uint32_t around = call;

    for (; call != 0 && !is_python(time, call); call = session_call_at(time->session, call)->parent)
        if (is_of_framework(time->session, session_call_at(time->session, call)->module))
            around = session_call_at(time->session, call)->parent;
    return around;
}

static enum status add_ops(struct tree *tree, uint32_t op)
{
    const struct session *session = tree->time->session;
    enum status status = STATUS_OK;

    for (; op != 0 && !status; op = session_op_at(session, op)->parent) {
        const char *name = session_op_at(session, op)->name;
        const char *kept = storage_keep(tree->time->texts, name, strlen(name));

        status = kept ? add_step(tree, kept, NULL) : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

static enum status find_way(struct tree *tree, size_t sample)
{
    const struct cpu_time *time = tree->time;
    const struct cpu_row *row = array_at(&time->rows, time->sample_row[sample]);
    uint32_t call = session_sample_at(time->session, sample)->call;
    uint32_t op = session_sample_at(time->session, sample)->op;
    enum status status;

    if (row->kind == CPU_KERNEL && time->call_kernel[call] == SESSION_NONE)
        call = 0; /* the chain ends inside of the kernel */

    array_truncate(&tree->way, 0);
    tree->is_past = false;
    status = add_step(tree, row->name, row->library);
    if (op != 0 && !status) {
        call = leave_framework(time, call);
        tree->is_past = true;
        status = add_ops(tree, op);
    }
    for (; call != 0 && !status; call = session_call_at(time->session, call)->parent) {
        const struct session_call *of = session_call_at(time->session, call);

        if (of->kind == SESSION_CALL_PLAIN &&
            !(row->kind == CPU_KERNEL && time->call_kernel[call] != SESSION_NONE))
            status = add_places(tree, places_known(time->places, call), row);
    }
    return status;
}

static enum status add_sample(struct tree *tree, size_t sample)
{
    double ns = tree->time->sample_ns[sample];
    struct node *node = &tree->root;
    enum status status = find_way(tree, sample);

    for (size_t i = 0; i < tree->way.count && i < DEPTH_MAX && i < tree->options->depth && !status;
         i++) {
        size_t at = tree->options->is_callers ? i : tree->way.count - 1 - i;

        node = find_node(tree, node, array_at(&tree->way, at));
        if (!node)
            return STATUS_OUT_OF_MEMORY;
        node->total_ns += ns;
        if (at == 0)
            node->self_ns += ns;
    }
    return status;
}

static int compare_nodes(const void *left, const void *right)
{
    const struct node *a = *(const struct node *const *)left;
    const struct node *b = *(const struct node *const *)right;

    if (a->total_ns != b->total_ns)
        return a->total_ns < b->total_ns ? 1 : -1;
    return strcmp(a->name, b->name);
}

static bool is_shown(const struct tree *tree, const struct node *node)
{
    return node->total_ns >= tree->options->least_fraction * tree->time->cpu_ns;
}

static enum status gather_children(struct array *children, const struct tree *tree,
                                   const struct node *parent)
{
    for (struct branch *child = parent->branch.first_child; child; child = child->next) {
        struct node *node = (struct node *)child;
        struct node **place = is_shown(tree, node) ? array_add(children) : NULL;

        if (is_shown(tree, node) && !place)
            return STATUS_OUT_OF_MEMORY;
        if (place)
            *place = node;
    }
    if (children->count > 0)
        qsort(children->items, children->count, sizeof(struct node *), compare_nodes);
    return STATUS_OK;
}

static enum status add_row(struct table *table, const struct tree *tree, const struct node *node)
{
    struct value *cells = table_add_row(table);
    size_t depth = node->branch.depth - 1; /* the root has no row */
    struct text name;

    if (!cells)
        return STATUS_OUT_OF_MEMORY;
    value_set_real(&cells[TOTAL_SHARE], cpu_time_share(tree->time, node->total_ns));
    value_set_real(&cells[SHARE], cpu_time_share(tree->time, node->self_ns));
    value_set_rounded(&cells[TOTAL], node->total_ns);
    value_set_rounded(&cells[SELF], node->self_ns);
    value_set_unsigned(&cells[DEPTH], depth);
    text_init(&name);
    text_appendf(&name, "%*s%.*s", (int)(INDENT * depth), "", NAME_SIZE, node->name);
    if (value_set_text(&cells[LIBRARY], node->library)) {
        text_fini(&name);
        return STATUS_OUT_OF_MEMORY;
    }
    return value_take_text(&cells[NAME], &name);
}

/* Depth is bounded by DEPTH_MAX. */
static enum status add_rows(struct table *table, const struct tree *tree, const struct node *parent)
{
    struct array children;
    enum status status;

    array_init(&children, sizeof(struct node *));
    status = gather_children(&children, tree, parent);
    for (size_t i = 0; i < children.count && !status; i++) {
        const struct node *node = *(struct node **)array_at(&children, i);

        status = add_row(table, tree, node);
        if (!status)
            status = add_rows(table, tree, node);
    }
    array_fini(&children);
    return status;
}

enum status time_tree_fill(struct table *table, const struct cpu_time *time,
                           const struct time_tree_options *options)
{
    struct tree tree = {
        .time = time, .options = options, .branches = {.size = sizeof(struct node)}};
    enum status status = STATUS_OK;

    array_init(&tree.way, sizeof(struct step));
    for (size_t i = 0; i < time->session->samples.count && !status; i++)
        status = add_sample(&tree, i);
    if (!status)
        status = add_rows(table, &tree, &tree.root);
    branches_fini(&tree.branches);
    array_fini(&tree.way);
    return status;
}
