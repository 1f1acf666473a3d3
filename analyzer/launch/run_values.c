/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's own reader of settings, given one value at a time instead of the environment.  In a
 * program it replaces an invalid value by the default, with a message.  Here nothing has started
 * yet, so the command refuses the value.
 */
#include "launch/run_values.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/environment.h"
#include "record/settings.h"

static const char *checked_variable, *checked_text;

/* For settings_read: nothing is set but the checked variable, under its right name. */
const char *environment_get(const char *name)
{
    return strcmp(name, checked_variable) == 0 ? checked_text : NULL;
}

void environment_each(void (*visit)(const char *text))
{
    (void)visit;
}

/* The middle part of "VARIABLE=TEXT: expected THIS; using THAT". */
static bool take_mistake(char *expected, size_t size)
{
    const char *start = strstr(settings.mistake, ": expected ");
    const char *end = start ? strstr(start, "; using ") : NULL;

    if (!start)
        return true;
    start += strlen(": ");
    snprintf(expected, size, "%.*s", (int)(end ? end - start : (long)strlen(start)), start);
    return false;
}

/* Catalogs, separated by colons. */
static bool check_files(const char *text, char *expected, size_t size)
{
    while (*text) {
        size_t length = strcspn(text, ":");
        char path[4096];

        snprintf(path, sizeof path, "%.*s", (int)length, text);
        if (length > 0 && access(path, R_OK) != 0) {
            snprintf(expected, size, "%.200s: %s", path, strerror(errno));
            return false;
        }
        text += length + (text[length] == ':');
    }
    return true;
}

bool run_value_check(const char *variable, const char *text, char *expected, size_t size)
{
    checked_variable = variable;
    checked_text = text;
    settings.mistake[0] = '\0';
    settings_read();
    if (!take_mistake(expected, size))
        return false;
    return strcmp(variable, settings_variable(SETTING_KERNELS)) != 0 ||
           check_files(text, expected, size);
}

void run_value_append_folder(struct text *output, const char *folder)
{
    for (; *folder; folder++)
        text_append(output, *folder == '%' ? "%%" : (const char[]){*folder, '\0'});
    text_append(output, "/");
}

static void append_output(struct text *text, const char *folder, const char *value)
{
    if (value[0] != '/')
        run_value_append_folder(text, folder);
    text_append(text, value);
}

/* A folder with a colon in its name is not allowed in the list. */
static void append_files(struct text *text, const char *folder, const char *value)
{
    bool is_fit = !strchr(folder, ':');

    while (*value) {
        size_t length = strcspn(value, ":");

        if (is_fit && length > 0 && value[0] != '/')
            text_appendf(text, "%s/", folder);
        text_append_bytes(text, value, length);
        value += length;
        text_append(text, *value ? ":" : "");
        value += *value == ':';
    }
}

static void pin(enum settings_id id, const char *folder,
                void (*append)(struct text *text, const char *folder, const char *value))
{
    const char *variable = settings_variable(id);
    struct text text;

    checked_variable = variable;
    checked_text = getenv(variable);
    settings_read();
    text_init(&text);
    append(&text, folder, settings.text[id]);
    if (text.size > 0)
        setenv(variable, text.bytes, 1);
    text_fini(&text);
}

void run_values_pin_paths(void)
{
    char folder[PATH_MAX];

    if (!getcwd(folder, sizeof folder))
        return;
    pin(SETTING_OUTPUT, folder, append_output);
    pin(SETTING_KERNELS, folder, append_files);
}

bool run_value_is_quiet(void)
{
    const char *variable = settings_variable(SETTING_QUIET);
    char unused[256];

    return run_value_check(variable, getenv(variable), unused, sizeof unused) && settings.quiet;
}
