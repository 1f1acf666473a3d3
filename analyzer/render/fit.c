/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The choice of the lines that a page has no room for.
 *
 * A screen has a few dozen items, so plain loops find them.
 */
#include "render/fit.h"

void fit_init(struct fit *fit)
{
    array_init_owned(&fit->items, sizeof(struct fit_item));
}

void fit_fini(struct fit *fit)
{
    array_fini(&fit->items);
}

void fit_note(struct fit *fit, const struct fit_item *item)
{
    if (item->rank > 0)
        *(struct fit_item *)array_add(&fit->items) = *item;
}

/* Returns: the item that goes next; NULL: none can go. */
static struct fit_item *find_next(const struct fit *fit)
{
    struct fit_item *item = fit->items.items, *next = NULL;

    for (size_t i = 0; i < fit->items.count; i++)
        if (!item[i].is_left_out && (!next || item[i].rank >= next->rank))
            next = &item[i];
    return next;
}

size_t fit_choose(struct fit *fit, size_t lines, size_t most)
{
    size_t left_out = 0;
    struct fit_item *next;

    while (lines - left_out > most && (next = find_next(fit))) {
        next->is_left_out = true;
        left_out += next->lines;
    }
    return left_out;
}

bool fit_leaves_out(const struct fit *fit, const void *of, size_t index)
{
    const struct fit_item *item = fit->items.items;

    for (size_t i = 0; i < fit->items.count; i++)
        if (item[i].of == of && item[i].index == index)
            return item[i].is_left_out;
    return false;
}
