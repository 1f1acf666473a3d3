/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels for sessions made by hand.
 */
#include "made_kernels.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/machine_file.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "page.h"
#include "spec/catalog_read.h"

enum { MEMORY_SIZE = 1 << 20, WORD_SIZE = 64 };

void made_read_machine(struct machine *machine, const char *page)
{
    char path[] = "made_machine.XXXXXX", *text = page_section(page, "machine");
    struct diagnostic diagnostic;
    int descriptor = mkstemp(path);

    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
    ck_assert_msg(!machine_file_read(machine, path, &diagnostic), "%s", diagnostic.text);
    unlink(path);
    free(text);
}

void made_read_catalog(struct session *session, struct catalog_arena *arena, const char *page)
{
    char *text = page_section(page, "catalog");
    struct catalog_error error;

    *arena = (struct catalog_arena){malloc(MEMORY_SIZE), MEMORY_SIZE, 0};
    ck_assert_msg(catalog_read(&session->catalog, arena, text, strlen(text), &error), "line %u: %s",
                  error.line, error.text);
    for (unsigned i = 0; i < session->catalog.kernel_count; i++) {
        struct session_binding *binding = array_add(&session->bindings);

        ck_assert_ptr_nonnull(binding);
        binding->kernel = &session->catalog.kernels[i];
        binding->symbol = binding->kernel->name;
    }
    free(text);
}

uint32_t made_find_binding(const struct session *session, const char *name)
{
    for (uint32_t i = 0; i < session->bindings.count; i++) {
        const struct session_binding *binding = array_at(&session->bindings, i);

        if (strcmp(binding->symbol, name) == 0)
            return i;
    }
    ck_abort_msg("there is no kernel %s", name);
    return 0;
}

/* Take the next word of a line. */
static const char *take_word(const char *line, char word[WORD_SIZE])
{
    int used = 0;

    ck_assert_int_eq(sscanf(line, "%63s%n", word, &used), 1);
    return line + used;
}

static const char *read_shape(struct session_slot *slot, const char *line)
{
    char word[WORD_SIZE];

    for (unsigned i = 0; i < slot->dims; i++) {
        line = take_word(line, word);
        slot->shape[i] =
            slot->kernel->shape[i].is_letter ? catalog_pack_text(word) : strtol(word, NULL, 10);
    }
    return line;
}

static void count_calls(struct session *session, struct session_slot *slot, const char *line)
{
    struct session_binding *binding = array_at(&session->bindings, slot->binding);
    struct session_thread *thread = array_at(&session->threads, 0);
    char word[WORD_SIZE];

    line = take_word(line, word);
    slot->calls = slot->timed_calls = strtoul(word, NULL, 10);
    take_word(line, word);
    slot->total_ns = slot->self_ns = 1000 * strtoul(word, NULL, 10);
    binding->calls += slot->calls;
    thread->kernel_ns += slot->self_ns;
}

struct session_slot *made_add_calls(struct session *session, const char *line)
{
    struct session_slot *slot = array_add(&session->slots);
    char name[WORD_SIZE];

    ck_assert_ptr_nonnull(slot);
    line = take_word(line, name);
    slot->binding = made_find_binding(session, name);
    slot->kernel = ((struct session_binding *)array_at(&session->bindings, slot->binding))->kernel;
    slot->dims = slot->kernel->shape_count;
    line = read_shape(slot, line);
    count_calls(session, slot, line);
    slot->flops_each = catalog_evaluate(&slot->kernel->flops, slot->shape);
    slot->bytes_each = catalog_evaluate(&slot->kernel->bytes, slot->shape);
    array_init(&slot->durations_ns, sizeof(uint64_t));
    return slot;
}

void made_fini_calls(struct session *session)
{
    for (size_t i = 0; i < session->slots.count; i++)
        array_fini(&((struct session_slot *)array_at(&session->slots, i))->durations_ns);
}
