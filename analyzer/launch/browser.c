/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that open a page.  $BROWSER is a list with colons, as xdg-open and Python's webbrowser
 * read it: words with blanks between, where %s stands for the address, or it is the last word.
 * There is no shell, so an address cannot be a command.
 */
#include "launch/browser.h"

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/file_url.h"
#include "base/memory.h"
#include "base/text.h"
#include "launch/launch.h"

static const char blanks[] = " \t";

/* Append a word, with the address for %s.  Returns: whether it had one. */
static bool add_word(struct array *words, const char *word, const char *address)
{
    const char *place = strstr(word, "%s");
    struct text whole;

    text_init(&whole);
    text_append_bytes(&whole, word, place ? (size_t)(place - word) : strlen(word));
    if (place) {
        text_append(&whole, address);
        text_append(&whole, place + 2);
    }
    *(char **)array_add(words) = memory_copy(whole.bytes);
    text_fini(&whole);
    return place != NULL;
}

/* Signals stay blocked behind launch_and_wait, and another command would inherit that. */
static bool run(char **words)
{
    const struct launch_hooks none = {0};
    struct launched launched;
    sigset_t mask;
    int error;

    sigprocmask(SIG_SETMASK, NULL, &mask);
    error = launch_and_wait(words, &none, &launched);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return error == 0 && WIFEXITED(launched.status) && WEXITSTATUS(launched.status) == 0;
}

/* Run a command; its text is cut into words.  Returns: whether it opened the address. */
static bool try_command(char *command, const char *address)
{
    bool has_address = false, is_opened;
    struct array words;
    char *rest = NULL;

    array_init(&words, sizeof(char *));
    for (char *word = strtok_r(command, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest))
        has_address = add_word(&words, word, address) || has_address;
    if (!has_address)
        *(char **)array_add(&words) = memory_copy(address);
    array_add(&words); /* NULL ends them */
    is_opened = has_address ? words.count > 1 : words.count > 2;
    is_opened = is_opened && run(words.items);
    for (size_t i = 0; i < words.count; i++)
        free(*(char **)array_at(&words, i));
    array_fini(&words);
    return is_opened;
}

static bool try_commands(const char *commands, const char *address)
{
    char *copy = memory_copy(commands), *rest = copy, *command;
    bool is_opened = false;

    while (!is_opened && (command = strsep(&rest, ":")))
        is_opened = try_command(command, address);
    free(copy);
    return is_opened;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value;
}

/* Returns: NULL, or why nothing opened the address. */
static const char *open_address(const char *address)
{
    char path[PATH_MAX];

    if (is_set("BROWSER"))
        return try_commands(getenv("BROWSER"), address) ? NULL : "no command of $BROWSER opened it";
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY"))
        return "there is no display; set BROWSER to the command of a browser";
    if (!launch_find_program("xdg-open", path, sizeof path))
        return "xdg-open is missing; set BROWSER to the command of a browser";
    return try_commands("xdg-open", address) ? NULL
                                             : "xdg-open found no browser; set BROWSER to "
                                               "the command of one";
}

enum status browser_open(const char *path, struct diagnostic *diagnostic)
{
    char *whole = realpath(path, NULL);
    const char *reason;
    struct text address;

    text_init(&address);
    file_url_append(&address, whole ? whole : path);
    reason = open_address(address.bytes);
    text_fini(&address);
    free(whole);
    if (!reason)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_IO, "%.300s is written, but not opened: %s", path,
                          reason);
}
