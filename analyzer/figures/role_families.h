/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families: the products of a session by their three sizes, whatever their order.
 *
 * A layer's forward pass and its gradients are products of the same three sizes,
 * so they are one family.  Which size is summed over tells forward from backward,
 * and whether the items are rows or columns of what comes out is the same in all of
 * a program; so both are counted.
 */
#ifndef FIGURES_ROLE_FAMILIES_H
#define FIGURES_ROLE_FAMILIES_H

#include "base/array.h"
#include "figures/slots.h"
#include "model/session_kernels.h"

enum shape_role { SHAPE_ROLE_NONE, SHAPE_ROLE_SCORES, SHAPE_ROLE_PROJECTION, SHAPE_ROLE_FEED };

/* Counts of products by size; of equal sizes, by the first. */
struct role_family {
    int64_t sizes[3];          /* in ascending order */
    double over[3];            /* that sum over this size */
    double rows[3];            /* whose result has so many rows, and not as many columns */
    double columns[3];         /* the same, exchanged */
    double columns_over[3][3]; /* whose result has so many columns, that sum over the second */
    uint64_t most;             /* products of one call */
    enum shape_role role;
    int64_t tokens; /* when not 0, products that have these the other way round have no role: */
    bool tokens_are_rows; /* of the result; else columns */
};

/* Returns: the role of a product of a family. */
enum shape_role role_family_role(const struct role_family *family, const struct slots_product *of);

struct role_families_entry;

/* Families, which stay where they are once all slots were added.  A zeroed one is not
 * ready: role_families_init. */
struct role_families {
    struct array items; /* of struct role_family */
    struct role_families_entry *by_sizes;
};

void role_families_init(struct role_families *families);
void role_families_fini(struct role_families *families);

/* Give family `index`, which must exist. */
struct role_family *role_families_at(const struct role_families *families, size_t index);

/* Find the family of a product.  Returns: NULL when there is none. */
struct role_family *role_families_find(const struct role_families *families,
                                       const struct slots_product *of);

/* Add a slot's calls to their family, when they are products that no other kernel owns.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status role_families_add(struct role_families *families,
                              const struct session_slot *slot) MUST_CHECK;

/* Returns: the first index of a size, or 3. */
unsigned role_family_index(const struct role_family *family, int64_t size);

/* Returns: how often a family has a size. */
unsigned role_family_count(const struct role_family *family, int64_t size);

/* Returns: the products that sum over a size. */
double role_family_over(const struct role_family *family, int64_t size);

/* Both layers of a feed-forward sum over its inner width in training, one in the forward
 * pass; a layer that only widens does once and not at all.  Where the inner width is the
 * tokens, the gradients of weights sum over it too.
 * Returns: whether the family sums over `inner` in `passes` products at least, and in as many
 * `gradients` more where these do too. */
bool role_family_narrows(const struct role_family *family, int64_t inner, int64_t tokens,
                         double passes, double gradients);

/* Returns: whether a layer of this size can be a projection of attention: of some heads, or of
 * queries, keys and values at once. */
bool role_may_project(int64_t size, int64_t width, int64_t head_width);

/* Returns: the products that sum over a size and whose result has so many columns. */
double role_family_columns_over(const struct role_family *family, int64_t columns, int64_t over);

/* Returns: the one of three sizes that is left without two others, or 0. */
int64_t role_family_third(const struct role_family *family, int64_t a, int64_t b);

/* The gradients of weights sum over the tokens, once for each forward pass, and those of
 * inputs do not: so no more than half of a layer's products do.
 * Returns: whether a family may have so many tokens. */
bool role_family_may_be_tokens(const struct role_family *family, int64_t tokens);

/* Returns: all products, the FLOPs of one, and of all. */
double role_family_products(const struct role_family *family);
double role_family_flops_each(const struct role_family *family);
double role_family_flops(const struct role_family *family);

#endif
