/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as an unwind table.  Each function that was read is looked up by its first address,
 * where another one may start, too.  See tests/fuzz/local.mk for how it runs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/function_ranges.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct function_ranges *ranges)
{
    for (size_t i = 0; i < ranges->intervals.items.count; i++) {
        const struct interval *interval = array_at(&ranges->intervals.items, i);
        const struct interval *found = function_ranges_find(ranges, interval->start);

        if (!found || found->start != interval->start)
            abort();
    }
}

/* An exact copy on the heap, so that a sanitizer notices each byte read behind it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *copy = malloc(size + (size == 0));
    struct function_ranges ranges;

    if (!copy)
        abort();
    memcpy(copy, data, size);
    const struct function_ranges_section section = {copy, size, 0x1000};
    function_ranges_init(&ranges);
    function_ranges_read(&ranges, &section);
    ask(&ranges);
    function_ranges_fini(&ranges);
    free(copy);
    return 0;
}
