/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files whose names TPROF_OUTPUT gives.
 */
#include "launch/trace_glob.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void append_code(struct text *pattern, char code, pid_t child)
{
    if (code == 'p' && child != 0)
        text_appendf(pattern, "%d", (int)child);
    else
        text_append(pattern, code == '%' ? "%" : "*");
}

static void append_letter(struct text *pattern, char letter)
{
    if (strchr("*?[\\", letter))
        text_append(pattern, "\\");
    text_append_bytes(pattern, &letter, 1);
}

/* A pattern for the names of a process's traces by TPROF_OUTPUT: all variable parts but the process
 * are stars.  It also matches the name of a program that starts with a dot. */
static void append_pattern(struct text *pattern, pid_t child)
{
    const char *output = getenv("TPROF_OUTPUT");

    if (!output || !output[0])
        output = "%e.%p.tprof";
    for (; *output; output++) {
        if (*output == '%' && output[1] != '\0')
            append_code(pattern, *++output, child);
        else
            append_letter(pattern, *output);
    }
    text_append(pattern, "*");
}

void trace_glob(glob_t *found, pid_t child)
{
    struct text pattern;

    *found = (glob_t){0};
    text_init(&pattern);
    append_pattern(&pattern, child);
    if (glob(pattern.bytes, GLOB_PERIOD, NULL, found) != 0)
        found->gl_pathc = 0;
    text_fini(&pattern);
}
