/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The abilities of an output: its width, colour, Unicode.
 *
 * Never writes to the terminal and needs no terminal library: only terminfo's
 * "dumb" matters here.
 */
#include "render/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    TERMINAL_USUAL_WIDTH = 80,
    PIPE_WIDTH = 100,          /* fits the lines of most mails, logs and reviews */
    TERMINAL_MAX_WIDTH = 10000 /* beyond this, COLUMNS is a mistake */
};

/* Returns: 0 when COLUMNS is no width. */
static size_t width_from_environment(void)
{
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;

    return width > 0 && width <= TERMINAL_MAX_WIDTH ? (size_t)width : 0;
}

size_t terminal_width(FILE *out)
{
    int descriptor = fileno(out); /* -1 for a stream in memory */
    struct winsize size;

    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    size_t width = width_from_environment();
    if (width > 0)
        return width;
    return isatty(descriptor) ? TERMINAL_USUAL_WIDTH : PIPE_WIDTH;
}

static bool wants_no_colour(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return (no_color && *no_color) || !term || strcmp(term, "dumb") == 0;
}

bool terminal_has_colour(FILE *out, enum terminal_choice choice)
{
    if (choice != TERMINAL_AUTO)
        return choice == TERMINAL_YES;
    return isatty(fileno(out)) && !wants_no_colour();
}

/* POSIX: the first of these that is set and not empty counts. */
static const char *locale_name(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *name = getenv(variables[i]);
        if (name && *name)
            return name;
    }
    return "C";
}

bool terminal_has_unicode(enum terminal_choice choice)
{
    if (choice != TERMINAL_AUTO)
        return choice == TERMINAL_YES;
    /* The locale's name decides, not nl_langinfo: the terminal shows UTF-8 even if this machine
     * lacks the user's locale. */
    const char *codeset = strchr(locale_name(), '.');
    return codeset &&
           (strncasecmp(codeset, ".UTF-8", 6) == 0 || strncasecmp(codeset, ".UTF8", 5) == 0);
}

struct render_options terminal_options(FILE *out, enum terminal_choice colour)
{
    return (struct render_options){
        .width = terminal_width(out),
        .colour = terminal_has_colour(out, colour),
        .unicode = terminal_has_unicode(TERMINAL_AUTO),
    };
}
