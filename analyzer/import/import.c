/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recognizes the tool of a log, and reads the log.
 */
#include "import/import.h"

#include <string.h>

static const struct import_kind kinds[] = {
#define IMPORT_KIND(name, tool, help) {#name, tool, help, name##_knows, name##_read},
#include "import/kinds.def"
#undef IMPORT_KIND
};

enum { KINDS = sizeof kinds / sizeof *kinds, HEAD = 1 << 16 };

const struct import_kind *import_kind_at(size_t index)
{
    return index < KINDS ? &kinds[index] : NULL;
}

const struct import_kind *import_kind_find(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* Fills the kind.  Errors: STATUS_IO: the log is a pipe or cannot be read; STATUS_CORRUPT. */
static enum status find_kind(const struct import_reading *reading, const struct import_kind **kind)
{
    static char head[HEAD];
    size_t size = fread(head, 1, sizeof head - 1, reading->log);

    head[size] = 0;
    if (ferror(reading->log) || fseeko(reading->log, 0, SEEK_SET))
        return diagnostic_set(reading->diagnostic, STATUS_IO,
                              "import: %.200s cannot be read twice; name its kind with --from",
                              reading->name);
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].knows(head)) {
            *kind = &kinds[i];
            return STATUS_OK;
        }
    return diagnostic_set(reading->diagnostic, STATUS_CORRUPT,
                          "import: %.200s: expected a log of oneDNN, ONNX Runtime or perf script, "
                          "found none of these",
                          reading->name);
}

static enum status read_and_write(struct import_reading *reading, const struct import_kind *kind,
                                  FILE *out)
{
    enum status status = kind->read(reading);

    if (!status && ferror(reading->log))
        status = diagnostic_set(reading->diagnostic, STATUS_IO, "import: %.200s cannot be read",
                                reading->name);
    if (!status)
        import_trace_write(reading->trace, out);
    return status;
}

enum status import_log(struct import_reading *reading, const struct import_kind *kind, FILE *out)
{
    struct import_trace trace;
    enum status status = kind ? STATUS_OK : find_kind(reading, &kind);

    if (status)
        return status;
    import_trace_init(&trace);
    import_trace_property(&trace, "command", reading->name);
    import_trace_property(&trace, "option", "TPROF_ALLOC=off");
    import_trace_property(&trace, "imported", kind->tool);
    reading->trace = &trace;
    status = read_and_write(reading, kind, out);
    import_trace_fini(&trace);
    return status;
}
