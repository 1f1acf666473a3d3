/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds renderers by name, and checks that output was written.
 *
 * Called by the commands of tprof, before and after they render.
 */
#include "render/render.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

static const struct renderer *const renderers[] = {
#define RENDERER(name) &renderer_##name,
#include "render/renderers.def"
#undef RENDERER
};

enum { RENDERER_COUNT = sizeof renderers / sizeof *renderers };

const struct renderer *render_at(size_t index)
{
    return index < RENDERER_COUNT ? renderers[index] : NULL;
}

static enum status report_unknown(const char *name, struct diagnostic *diagnostic)
{
    struct text names;

    text_init(&names);
    for (size_t i = 0; i < RENDERER_COUNT; i++)
        text_appendf(&names, "%s%s", i ? ", " : "", renderers[i]->name);
    diagnostic_set(diagnostic, STATUS_USAGE, "expected a format, one of %s; found \"%s\"",
                   names.bytes, name);
    text_fini(&names);
    return STATUS_USAGE;
}

enum status render_find(const char *name, const struct renderer **renderer,
                        struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < RENDERER_COUNT; i++) {
        if (strcmp(renderers[i]->name, name) == 0) {
            *renderer = renderers[i];
            return STATUS_OK;
        }
    }
    return report_unknown(name, diagnostic);
}

enum status render_finish(FILE *out, struct diagnostic *diagnostic)
{
    errno = 0;
    if (fflush(out) == 0 && !ferror(out))
        return STATUS_OK;
    /* An earlier failure left only its mark on the stream: another write sets errno. */
    if (errno == 0 && fputc('\n', out) != EOF)
        (void)fflush(out);
    return diagnostic_set(diagnostic, STATUS_IO, "cannot write the output: %s",
                          errno ? strerror(errno) : "a write failed");
}
