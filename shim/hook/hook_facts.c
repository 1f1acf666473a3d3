/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the catalog, of the loaded objects, and of their hooks.
 */
#include "hook/hook_facts.h"

#include <stdatomic.h>
#include <string.h>

#include "hook/bindings.h"
#include "hook/catalog.h"
#include "hook/deep.h"
#include "hook/hook.h"
#include "hook/load_map.h"
#include "platform/next.h"
#include "record/facts.h"

enum { CATALOG_PIECE = 8192 };

static unsigned pieces_of(const struct catalog_part *part)
{
    return (unsigned)((part->size + CATALOG_PIECE - 1) / CATALOG_PIECE);
}

static bool write_piece(const struct catalog_part *part, unsigned index)
{
    enum trace_fact_kind kind = part->is_packed ? TRACE_FACT_PACKED_CATALOG : TRACE_FACT_CATALOG;
    size_t done = (size_t)index * CATALOG_PIECE;
    size_t left = part->size - done;

    return facts_write(kind, NULL, 0, part->text + done,
                       left < CATALOG_PIECE ? left : CATALOG_PIECE);
}

/* Pieces are numbered over all parts. */
static bool write_numbered_piece(unsigned index)
{
    const struct catalog_part *part = catalog_parts;

    for (; index >= pieces_of(part); part++)
        index -= pieces_of(part);
    return write_piece(part, index);
}

bool hook_facts_write_catalog(unsigned *written)
{
    unsigned pieces = 0;

    for (unsigned i = 0; i < catalog_part_count; i++)
        pieces += pieces_of(&catalog_parts[i]);
    return facts_write_list(written, pieces, write_numbered_piece);
}

/* Objects before the shim are there from the start.  So a forked child takes its parent's answer:
 * it would get a millisecond of page faults for its own. */
static const struct load_map_module *find_malloc_before(void)
{
    static const struct load_map_module *before;
    static bool is_known;

    if (!is_known)
        before = load_map_find_definer("malloc");
    is_known = true;
    return before;
}

/* Write once which library's malloc the shim calls, and whether another malloc precedes the
 * shim's. */
bool hook_facts_write_allocator(unsigned *written)
{
    const struct loaded *behind;
    const struct load_map_module *before;

    if (*written == 1 || load_map_module_count == 0)
        return true;
    behind = load_map_find((uintptr_t)next.malloc);
    before = find_malloc_before();
    *written = (!behind || facts_write_text("allocator", load_map_module(behind)->path)) &&
               (!before || facts_write_text("malloc_owner", before->path));
    return *written == 1;
}

static bool write_module(unsigned index)
{
    const struct load_map_module *module = &load_map_modules[index];
    static char bytes[LOAD_MAP_BUILD_ID_MAX + LOAD_MAP_PATH_MAX]; /* under the lock */
    size_t path_size = strlen(module->path);

    memcpy(bytes, module->build_id, module->fact.build_id_size);
    memcpy(bytes + module->fact.build_id_size, module->path, path_size);
    return facts_write(TRACE_FACT_MODULE, &module->fact, sizeof module->fact, bytes,
                       module->fact.build_id_size + path_size);
}

static bool write_gone(unsigned index)
{
    return facts_write(TRACE_FACT_GONE, &load_map_gone[index], sizeof *load_map_gone, NULL, 0);
}

static bool write_binding(unsigned index)
{
    const struct binding *binding = bindings[index];
    struct trace_binding fact = {binding->id, binding->symbol->kernel, (uintptr_t)binding->target,
                                 (uintptr_t)bindings_mark(binding)};

    return facts_write(TRACE_FACT_BINDING, &fact, sizeof fact, binding->symbol->name,
                       strlen(binding->symbol->name));
}

static bool write_hook(unsigned index)
{
    struct hook_row *row = &hook_rows[index];

    row->written = facts_write(TRACE_FACT_HOOK, &row->fact, sizeof row->fact, row->symbol->name,
                               strlen(row->symbol->name));
    return row->written;
}

/* Update the number of slots.  A forked child has written rows of its own. */
static void update_hook(const struct hook_row *row)
{
    if (row->written)
        atomic_store_explicit((_Atomic uint32_t *)&row->written->slots, row->fact.slots,
                              memory_order_relaxed);
}

bool hook_facts_write_modules(unsigned *written)
{
    return facts_write_list(written, load_map_module_count, write_module);
}

bool hook_facts_write_gone(unsigned *written)
{
    return facts_write_list(written, load_map_gone_count, write_gone);
}

bool hook_facts_write_bindings(unsigned *written)
{
    return facts_write_list(written, bindings_count, write_binding);
}

bool hook_facts_write_hooks(unsigned *written)
{
    static unsigned updated;

    if (updated != hook_rows_changed)
        for (unsigned i = 0; i < *written; i++)
            update_hook(&hook_rows[i]);
    updated = hook_rows_changed;
    return facts_write_list(written, hook_row_count, write_hook);
}

bool hook_facts_write_objects_left_out(unsigned *written)
{
    return facts_update_number(written, "objects_left_out", load_map_left_out());
}

bool hook_facts_write_hooks_left_out(unsigned *written)
{
    return facts_update_number(written, "hooks_left_out", hook_rows_left_out());
}

bool hook_facts_write_in_spaces(unsigned *written)
{
    return facts_update_number(written, "namespace_objects", load_map_in_spaces());
}

bool hook_facts_write_deep_unseen(unsigned *written)
{
    return facts_update_number(written, "deep_unseen", deep_unseen());
}
