/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles by the names of regions and kernels, by ops, and without these by shapes.
 */
#include "kernels/roles.h"

#include <string.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"

/* The innermost region around with the name of a block. */
static enum role find_block_region(const struct session *session, uint32_t index)
{
    while (index != 0) {
        const struct session_region *region = session_region_at(session, index);
        enum role role = role_of_name(region->label);

        if (role_block_of(role) != ROLE_BLOCK_NONE)
            return role;
        index = region->parent;
    }
    return ROLES;
}

enum role_block roles_block_of_region(const struct session *session, uint32_t region)
{
    enum role role = find_block_region(session, region);

    return role_block_of(role);
}

static enum role find_region_role(const struct session *session, uint32_t index)
{
    if (index == 0)
        return ROLES;
    return role_of_name(session_region_at(session, index)->label);
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

/* The kernel's own role is the most certain.  A shape is more certain than the surrounding region,
 * unless they contradict each other. */
static enum role choose(enum role kernel, enum role shape, enum role block, enum role region)
{
    if (kernel != ROLES)
        return kernel;
    if (shape != ROLES && (block == ROLES || role_block_of(shape) == role_block_of(block)))
        return shape;
    return block != ROLES ? block : region;
}

static bool is_alike(const struct session_slot *slot, const struct session_slot *other)
{
    return slot->kernel == other->kernel && slot->dims == other->dims &&
           memcmp(slot->shape, other->shape, slot->dims * sizeof *slot->shape) == 0;
}

/* If ops came too densely to be recorded further, take the role of earlier calls with the same
 * sizes.
 * Returns: ROLES if the role is unknown or not the same for all calls. */
static enum role find_earlier(const struct roles *roles, const struct session *session,
                              const struct session_slot *slot)
{
    enum role role = ROLES;

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *earlier = session_slot_at(session, i);

        if (earlier->op == 0 || !is_alike(slot, earlier))
            continue;
        if (role != ROLES && role != roles->ops.of[earlier->op])
            return ROLES;
        role = roles->ops.of[earlier->op];
    }
    return role;
}

/* Ops give the role of the calls in them; otherwise the sizes of products may. */
static enum role find_told(const struct roles *roles, const struct session *session,
                           const struct session_slot *slot)
{
    if (slot->op != 0)
        return roles->ops.of[slot->op];
    return session->ops.count > 1
               ? find_earlier(roles, session, slot)
               : find_shape_role(role_shapes_find(&roles->shapes, slot));
}

static enum role_source find_source(const struct session_slot *slot, bool is_named)
{
    if (is_named)
        return ROLE_SOURCE_NAMES;
    return slot->op != 0 ? ROLE_SOURCE_OPS : ROLE_SOURCE_SHAPES;
}

static void find_entry(struct role_entry *entry, const struct roles *roles,
                       const struct session *session, const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slot->kernel;
    enum role named = kernel ? role_of_name(kernel->name) : ROLES;
    enum role block = find_block_region(session, slot->region);
    enum role told = find_told(roles, session, slot);

    entry->role = choose(named, told, block, find_region_role(session, slot->region));
    entry->block = role_block_of(block != ROLES ? block : told != ROLES ? told : entry->role);
    entry->source = entry->block == ROLE_BLOCK_NONE
                        ? ROLE_SOURCE_NONE
                        : find_source(slot, block != ROLES || told == ROLES);
    entry->part_count = told != ROLES && entry->role == told && named == ROLES
                            ? op_roles_find_parts(&roles->ops, slot->op, &entry->parts)
                            : 0;
    if (entry->role == ROLES)
        entry->role =
            lapack_makes(&roles->shapes.lapack, slot) ? ROLE_LAPACK : find_class_role(kernel);
}

void roles_init(struct roles *roles, const struct session *session)
{
    op_roles_init(&roles->ops, session);

    role_shapes_init(&roles->shapes, session);
    array_init(&roles->entries, sizeof(struct role_entry));
    for (size_t i = 0; i < session->slots.count; i++) {
        struct role_entry *entry = array_add(&roles->entries);

        find_entry(entry, roles, session, session_slot_at(session, i));
    }
}

const struct role_entry *roles_of(const struct roles *roles, size_t slot)
{
    return array_at(&roles->entries, slot);
}
