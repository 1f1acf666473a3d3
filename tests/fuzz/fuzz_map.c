/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as the map of functions compiled at run time.  Each function that was read is looked up
 * by its addresses: no two overlap, so it must find itself.  See tests/fuzz/local.mk for how it
 * runs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/storage.h"
#include "symbols/symbol_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct symbol_table *table)
{
    for (size_t i = 0; i < table->intervals.items.count; i++) {
        const struct interval *interval = array_at(&table->intervals.items, i);
        const struct symbol_found first = symbol_table_find(table, interval->start);
        const struct symbol_found last = symbol_table_find(table, interval->end - 1);

        if (!first.name || first.start != interval->start || !last.name ||
            last.start != interval->start)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *map = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    struct storage *storage = storage_new();
    struct symbol_table table;

    if (map) {
        symbol_table_init(&table);
        symbol_table_read_map(&table, map, storage);
        ask(&table);
        symbol_table_fini(&table);
    }
    if (map)
        fclose(map);
    storage_free(storage);
    return 0;
}
