/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families: the products of a session by their three sizes, whatever their order.
 *
 * A layer's forward pass and its gradients are products of the same three sizes, so they are
 * one family.
 */
#ifndef KERNELS_ROLE_FAMILIES_H
#define KERNELS_ROLE_FAMILIES_H

#include "base/array.h"
#include "model/session_kernels.h"
#include "model/slots.h"

enum shape_role { SHAPE_ROLE_NONE, SHAPE_ROLE_SCORES, SHAPE_ROLE_PROJECTION, SHAPE_ROLE_FEED };

struct role_family {
    int64_t sizes[3]; /* in ascending order */
    double products;
    enum shape_role role;
};

struct role_families_entry;

/* Families.  Their addresses are final once all slots are added.  A zeroed struct is not ready:
 * call role_families_init. */
struct role_families {
    struct array items; /* of struct role_family */
    struct role_families_entry *by_sizes;
    struct pool *pool; /* of both */
};

void role_families_init(struct role_families *families);

/* Give family `index`, which must exist. */
struct role_family *role_families_at(const struct role_families *families, size_t index);

/* Find the family of a product.  Returns: NULL when there is none. */
struct role_family *role_families_find(const struct role_families *families,
                                       const struct slots_product *of);

/* Add a slot's calls to their family, if they are products that no other kernel owns. */
void role_families_add(struct role_families *families, const struct session_slot *slot);

/* Find the size that a family has twice, and the other size.  Returns: whether it has a size
 * twice. */
bool role_family_is_square(const struct role_family *family, int64_t *side, int64_t *other);

/* Returns: the remaining one of three sizes without the two given ones, or 0. */
int64_t role_family_third(const struct role_family *family, int64_t a, int64_t b);

/* Returns: the FLOPs of all its products. */
double role_family_flops(const struct role_family *family);

#endif
