/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products by their three sizes.
 *
 * Decision: doc/decisions/roles-of-products.
 */
#include "kernels/role_families.h"

#include "base/pool.h"

/* uthash takes and gives back its table where a family is added. */
#define uthash_malloc(size) pool_resize(families->pool, NULL, size)
#define uthash_free(table, size) pool_free(families->pool, table)
#include "base/hash.h"
#include "model/session_kernels.h"

/* The position of a family. */
struct role_families_entry {
    int64_t sizes[3];
    size_t index;
    UT_hash_handle hh;
};

void role_families_init(struct role_families *families)
{
    *families = (struct role_families){.pool = pool_in_use()};
    array_init(&families->items, sizeof(struct role_family));
}

struct role_family *role_families_at(const struct role_families *families, size_t index)
{
    return array_at(&families->items, index);
}

static void sort_sizes(int64_t sizes[3])
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2 - i; j++)
            if (sizes[j] > sizes[j + 1]) {
                int64_t kept = sizes[j];

                sizes[j] = sizes[j + 1];
                sizes[j + 1] = kept;
            }
}

struct role_family *role_families_find(const struct role_families *families,
                                       const struct slots_product *of)
{
    int64_t sizes[3] = {of->m, of->n, of->k};
    struct role_families_entry *entry;

    sort_sizes(sizes);
    HASH_FIND(hh, families->by_sizes, sizes, sizeof sizes, entry);
    return entry ? array_at(&families->items, entry->index) : NULL;
}

static void add_entry(struct role_families *families, const struct role_family *family)
{
    struct role_families_entry *entry = pool_get_zeros(1, sizeof *entry);

    for (unsigned i = 0; i < 3; i++)
        entry->sizes[i] = family->sizes[i];
    entry->index = families->items.count - 1;
    HASH_ADD(hh, families->by_sizes, sizes, sizeof entry->sizes, entry);
}

static struct role_family *add_family(struct role_families *families,
                                      const struct slots_product *of)
{
    struct role_family *family = array_add(&families->items);

    *family = (struct role_family){.sizes = {of->m, of->n, of->k}};
    sort_sizes(family->sizes);
    add_entry(families, family);
    return family;
}

void role_families_add(struct role_families *families, const struct session_slot *slot)
{
    struct slots_product product;
    struct role_family *family;

    if (slot->nested || !slots_find_product(slot, &product))
        return;
    family = role_families_find(families, &product);
    if (!family)
        family = add_family(families, &product);
    family->products += (double)product.count * (double)slot->calls;
}

bool role_family_is_square(const struct role_family *family, int64_t *side, int64_t *other)
{
    const int64_t *sizes = family->sizes;

    *side = sizes[1];
    *other = sizes[0] == sizes[1] ? sizes[2] : sizes[0];
    return sizes[0] == sizes[1] || sizes[1] == sizes[2];
}

int64_t role_family_third(const struct role_family *family, int64_t a, int64_t b)
{
    const int64_t *sizes = family->sizes;
    unsigned first = 0;

    while (first < 3 && sizes[first] != a)
        first++;
    for (unsigned i = 0; first < 3 && i < 3; i++)
        if (i != first && sizes[i] == b)
            return sizes[3 - first - i];
    return 0;
}

double role_family_flops(const struct role_family *family)
{
    return 2 * (double)family->sizes[0] * (double)family->sizes[1] * (double)family->sizes[2] *
           family->products;
}
