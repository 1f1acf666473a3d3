/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list is cut as the shim cuts it (hook/catalog.c).
 */
#include "model/wrap_list.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/texts.h"

/* One entry: functions in libraries, both as globs. */
struct wrap_entry {
    char *library; /* NULL: any */
    char *symbol;
};

static bool fits(const struct wrap_entry *entry, const struct session_binding *binding)
{
    const char *file = binding->module ? text_base_name(binding->module->path) : "";

    return fnmatch(entry->symbol, binding->symbol, 0) == 0 &&
           (!entry->library || fnmatch(entry->library, file, 0) == 0);
}

static bool is_hooked(const struct session *session, const struct wrap_entry *entry)
{
    for (size_t i = 0; i < session->bindings.count; i++)
        if (fits(entry, session_binding_at(session, i)))
            return true;
    return false;
}

static void doubt_entry(const struct session *session, const struct wrap_entry *entry,
                        struct text_list *doubts)
{
    if (entry->symbol[0] == '\0' || is_hooked(session, entry))
        return;

    struct text name;

    text_init(&name);
    text_appendf(&name, "%s%s%s", entry->library ? entry->library : "", entry->library ? ":" : "",
                 entry->symbol);
    text_list_say(doubts, wrap_missing_text, said_words(name.bytes));
    text_fini(&name);
}

/* Check the symbols of one library; `part` is split in place. */
static void doubt_part(const struct session *session, char *part, struct text_list *doubts)
{
    char *colon = strchr(part, ':');
    char *symbols = colon ? colon + 1 : part;
    struct wrap_entry entry = {colon && colon > part ? part : NULL, NULL};

    if (colon)
        *colon = '\0';
    while ((entry.symbol = strsep(&symbols, ",")))
        doubt_entry(session, &entry, doubts);
}

void wrap_list_doubt(const struct session *session, const char *list, struct text_list *doubts)
{
    char *copy = memory_copy(list ? list : "");
    char *rest = copy, *part;

    while ((part = strsep(&rest, ";")))
        doubt_part(session, part, doubts);
    free(copy);
}
