/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles by the names of regions, kernels and ops, and else by shapes.
 */
#include "figures/roles.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_threads.h"

static const struct {
    const char *name;
    enum role_block block;
} rows[] = {
#define ROLE(name, word, block) {word, ROLE_BLOCK_##block},
#include "figures/roles.def"
#undef ROLE
};

static const struct {
    enum role role;
    const char *const *words; /* NULL after the last */
} role_words[] = {
#define ROLE_WORDS(role, ...) {ROLE_##role, (const char *const[]){__VA_ARGS__, NULL}},
#include "figures/role_words.def"
#undef ROLE_WORDS
};

const char *role_name(enum role role)
{
    return rows[role].name;
}

/* A place at which a word may begin: the start, behind no letter, or a capital
 * behind a small letter. */
static bool may_begin(const char *name, const char *at)
{
    return at == name || !isalpha((unsigned char)at[-1]) ||
           (isupper((unsigned char)*at) && islower((unsigned char)at[-1]));
}

static bool may_end(const char *last, const char *behind)
{
    return !isalpha((unsigned char)*behind) ||
           (isupper((unsigned char)*behind) && islower((unsigned char)*last));
}

static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);

    /* Asked for each word of each name around each slot: most places have another letter. */
    for (const char *at = name; *at; at++)
        if (tolower((unsigned char)*at) == tolower((unsigned char)*word) &&
            strncasecmp(at, word, length) == 0 && may_begin(name, at) &&
            may_end(at + length - 1, at + length))
            return true;
    return false;
}

bool role_name_has_any(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (has_word(name, *words))
            return true;
    return false;
}

enum role role_of_name(const char *name)
{
    for (size_t i = 0; i < sizeof role_words / sizeof *role_words; i++)
        if (role_name_has_any(name, role_words[i].words))
            return role_words[i].role;
    return ROLES;
}

/* The innermost region around whose name tells a block. */
static enum role find_block_region(const struct session *session, uint32_t index)
{
    while (index != 0) {
        const struct session_region *region = session_region_at(session, index);
        enum role role = role_of_name(region->label);

        if (role != ROLES && rows[role].block != ROLE_BLOCK_NONE)
            return role;
        index = region->parent;
    }
    return ROLES;
}

enum role_block roles_block_of_region(const struct session *session, uint32_t region)
{
    enum role role = find_block_region(session, region);

    return role == ROLES ? ROLE_BLOCK_NONE : rows[role].block;
}

static enum role find_region_role(const struct session *session, uint32_t index)
{
    if (index == 0)
        return ROLES;
    return role_of_name(session_region_at(session, index)->label);
}

/* The innermost op around whose name tells a role. */
enum role role_of_op(const struct session *session, uint32_t op)
{
    enum role role = ROLES;

    for (; op != 0 && role == ROLES; op = session_op_at(session, op)->parent)
        role = role_of_name(session_op_at(session, op)->name);
    return role;
}

static bool is_block(enum role role)
{
    return role != ROLES && rows[role].block != ROLE_BLOCK_NONE;
}

enum role role_of_op_block(const struct session *session, uint32_t op)
{
    uint32_t layer = op != 0 ? session_op_at(session, op)->layer : 0;
    enum role role = role_of_op(session, op);

    while (!is_block(role) && layer != 0) {
        const struct session_layer *of = array_at(&session->layers, layer);

        role = role_of_name(of->name);
        layer = of->outer;
    }
    return is_block(role) ? role : ROLES;
}

static enum role find_class_role(const struct catalog_kernel *kernel)
{
    static const enum role roles[] = {[CATALOG_OTHER] = ROLE_OTHER,
                                      [CATALOG_MATMUL] = ROLE_MATMUL,
                                      [CATALOG_ELEMENTWISE] = ROLE_ELEMENTWISE,
                                      [CATALOG_MOVEMENT] = ROLE_MOVEMENT};

    return kernel ? roles[kernel->class] : ROLE_OTHER;
}

static enum role find_shape_role(enum shape_role shape)
{
    static const enum role roles[] = {[SHAPE_ROLE_NONE] = ROLES,
                                      [SHAPE_ROLE_SCORES] = ROLE_SCORES,
                                      [SHAPE_ROLE_PROJECTION] = ROLE_PROJECTION,
                                      [SHAPE_ROLE_FEED] = ROLE_FEED_FORWARD};

    return roles[shape];
}

/* The kernel knows best what it is; a shape says more than the region around,
 * unless they contradict each other. */
static enum role choose(enum role kernel, enum role shape, enum role block, enum role region)
{
    if (kernel != ROLES)
        return kernel;
    if (shape != ROLES && (block == ROLES || rows[shape].block == rows[block].block))
        return shape;
    return block != ROLES ? block : region;
}


/* A kernel that names what it computes, or an op that does and is no block: in a block shapes
 * say more. */
static enum role find_named(const struct session *session, const struct session_slot *slot)
{
    enum role role = slot->kernel ? role_of_name(slot->kernel->name) : ROLES;

    if (role != ROLES)
        return role;
    role = role_of_op(session, slot->op);
    return is_block(role) ? ROLES : role;
}

static void find_entry(struct role_entry *entry, const struct roles *roles,
                       const struct session *session, const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slot->kernel;
    enum role named = find_named(session, slot);
    enum role region = find_block_region(session, slot->region); /* says more than an op */
    enum role block = region != ROLES ? region : role_of_op_block(session, slot->op);
    enum role shape = find_shape_role(role_shapes_find(&roles->shapes, slot));

    entry->role = choose(named, shape, block, find_region_role(session, slot->region));
    if (entry->role == ROLES)
        entry->role =
            lapack_makes(&roles->shapes.lapack, slot) ? ROLE_LAPACK : find_class_role(kernel);
    entry->block = rows[block != ROLES ? block : entry->role].block;
    if (entry->block == ROLE_BLOCK_NONE)
        entry->source = ROLE_SOURCE_NONE;
    else if (region != ROLES || named != ROLES)
        entry->source = ROLE_SOURCE_NAMES;
    else
        entry->source = block != ROLES ? ROLE_SOURCE_OPS : ROLE_SOURCE_SHAPES;
}

enum status roles_init(struct roles *roles, const struct session *session)
{
    enum status status = role_shapes_init(&roles->shapes, session);

    if (status)
        return status;
    array_init(&roles->entries, sizeof(struct role_entry));
    for (size_t i = 0; i < session->slots.count; i++) {
        struct role_entry *entry = array_add(&roles->entries);

        if (!entry) {
            roles_fini(roles);
            return STATUS_OUT_OF_MEMORY;
        }
        find_entry(entry, roles, session, session_slot_at(session, i));
    }
    return STATUS_OK;
}

void roles_fini(struct roles *roles)
{
    role_shapes_fini(&roles->shapes);
    array_fini(&roles->entries);
}

const struct role_entry *roles_of(const struct roles *roles, size_t slot)
{
    return array_at(&roles->entries, slot);
}
