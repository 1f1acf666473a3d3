/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products by their three sizes.
 *
 * Decision: doc/decisions/roles-of-products.
 */
#include "figures/role_families.h"

#include <stdlib.h>

#include "base/hash.h"
#include "model/session_kernels.h"

/* Where a family stands. */
struct role_families_entry {
    int64_t sizes[3];
    size_t index;
    UT_hash_handle hh;
};

void role_families_init(struct role_families *families)
{
    *families = (struct role_families){.by_sizes = NULL};
    array_init(&families->items, sizeof(struct role_family));
}

void role_families_fini(struct role_families *families)
{
    struct role_families_entry *entry, *next;

    HASH_ITER(hh, families->by_sizes, entry, next)
    {
        HASH_DEL(families->by_sizes, entry);
        free(entry);
    }
    array_fini(&families->items);
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

static bool add_entry(struct role_families *families, const struct role_family *family)
{
    struct role_families_entry *entry = calloc(1, sizeof *entry);

    if (!entry)
        return false;
    for (unsigned i = 0; i < 3; i++)
        entry->sizes[i] = family->sizes[i];
    entry->index = families->items.count - 1;
    HASH_ADD(hh, families->by_sizes, sizes, sizeof entry->sizes, entry);
    if (hash_was_added(&entry->hh))
        return true;
    free(entry);
    return false;
}

static struct role_family *add_family(struct role_families *families,
                                      const struct slots_product *of)
{
    struct role_family *family = array_add(&families->items);

    if (!family)
        return NULL;
    *family = (struct role_family){.sizes = {of->m, of->n, of->k}};
    sort_sizes(family->sizes);
    return add_entry(families, family) ? family : NULL;
}

static void add_calls(struct role_family *family, const struct slots_product *of, double calls)
{
    unsigned over = role_family_index(family, of->k);

    family->over[over] += calls;
    family->columns_over[role_family_index(family, of->n)][over] += calls;
    if (of->m != of->n) {
        family->rows[role_family_index(family, of->m)] += calls;
        family->columns[role_family_index(family, of->n)] += calls;
    }
    if (of->count > family->most)
        family->most = of->count;
}

enum status role_families_add(struct role_families *families, const struct session_slot *slot)
{
    struct slots_product product;
    struct role_family *family;

    if (slot->nested || !slots_find_product(slot, &product))
        return STATUS_OK;
    family = role_families_find(families, &product);
    if (!family)
        family = add_family(families, &product);
    if (!family)
        return STATUS_OUT_OF_MEMORY;
    add_calls(family, &product, (double)product.count * (double)slot->calls);
    return STATUS_OK;
}

unsigned role_family_index(const struct role_family *family, int64_t size)
{
    unsigned i = 0;

    while (i < 3 && family->sizes[i] != size)
        i++;
    return i;
}

unsigned role_family_count(const struct role_family *family, int64_t size)
{
    unsigned count = 0;

    for (unsigned i = 0; i < 3; i++)
        count += family->sizes[i] == size;
    return count;
}

double role_family_over(const struct role_family *family, int64_t size)
{
    unsigned i = role_family_index(family, size);

    return i < 3 ? family->over[i] : 0;
}

bool role_family_narrows(const struct role_family *family, int64_t inner, int64_t tokens,
                         double passes, double gradients)
{
    return role_family_over(family, inner) >= (inner == tokens ? passes + gradients : passes);
}

bool role_may_project(int64_t size, int64_t width, int64_t head_width)
{
    return size % head_width == 0 && (size <= width || size == 2 * width || size == 3 * width);
}

double role_family_columns_over(const struct role_family *family, int64_t columns, int64_t over)
{
    unsigned i = role_family_index(family, columns), j = role_family_index(family, over);

    return i < 3 && j < 3 ? family->columns_over[i][j] : 0;
}

enum shape_role role_family_role(const struct role_family *family, const struct slots_product *of)
{
    int64_t against = family->tokens_are_rows ? of->n : of->m;

    return family->tokens > 0 && against == family->tokens ? SHAPE_ROLE_NONE : family->role;
}

int64_t role_family_third(const struct role_family *family, int64_t a, int64_t b)
{
    unsigned first = role_family_index(family, a);

    for (unsigned i = 0; first < 3 && i < 3; i++)
        if (i != first && family->sizes[i] == b)
            return family->sizes[3 - first - i];
    return 0;
}

double role_family_products(const struct role_family *family)
{
    return family->over[0] + family->over[1] + family->over[2];
}

double role_family_flops_each(const struct role_family *family)
{
    return 2 * (double)family->sizes[0] * (double)family->sizes[1] * (double)family->sizes[2];
}

double role_family_flops(const struct role_family *family)
{
    return role_family_flops_each(family) * role_family_products(family);
}

bool role_family_may_be_tokens(const struct role_family *family, int64_t tokens)
{
    return role_family_count(family, tokens) > 1 ||
           2 * role_family_over(family, tokens) <= role_family_products(family);
}
