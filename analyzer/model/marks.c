/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every site had live at marks, equal distances of time apart.
 */
#include "model/marks.h"

void marks_init(struct marks *marks)
{
    *marks = (struct marks){.count = 1};
    array_init(&marks->sites, sizeof(struct marks_site));
    array_init(&marks->noted, sizeof(uint8_t));
}

void marks_fini(struct marks *marks)
{
    array_fini(&marks->sites);
    array_fini(&marks->noted);
}

enum status marks_add_site(struct marks *marks)
{
    return array_add(&marks->sites) && array_add(&marks->noted) ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

void marks_note(struct marks *marks, uint32_t site, uint64_t bytes)
{
    struct marks_site *of = array_at(&marks->sites, site);
    uint8_t *noted = array_at(&marks->noted, site);

    while (*noted < marks->count)
        of->bytes[(*noted)++] = bytes;
}

static void merge_site(struct marks_site *site, uint8_t *noted)
{
    for (uint32_t i = 0; 2 * i < *noted; i++)
        site->bytes[i] = site->bytes[2 * i];
    *noted = (uint8_t)((*noted + 1) / 2);
}

void marks_merge(struct marks *marks)
{
    for (size_t i = 0; i < marks->sites.count; i++)
        merge_site(array_at(&marks->sites, i), array_at(&marks->noted, i));
    marks->count = (marks->count + 1) / 2;
}

bool marks_pass(struct marks *marks, size_t moments)
{
    uint32_t before = marks->count;

    marks->count = (uint32_t)(moments / MARKS_MOMENTS) + 1;
    return marks->count != before;
}
