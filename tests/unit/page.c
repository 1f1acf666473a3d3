/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading golden cases.
 */
#include "page.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION_SIZE = 65536, LINE_SIZE = 4096 };

static FILE *open_page(const char *page)
{
    const char *folder = getenv("srcdir");
    char path[LINE_SIZE];
    FILE *file;

    snprintf(path, sizeof path, "%s/tests/cases/%s", folder ? folder : ".", page);
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    return file;
}

static bool is_heading(const char *line, const char *name)
{
    size_t length = strlen(name);

    return strncmp(line, "-- ", 3) == 0 && strncmp(line + 3, name, length) == 0 &&
           strchr("\n:", line[3 + length]) != NULL;
}

char *page_section(const char *page, const char *name)
{
    FILE *file = open_page(page);
    char line[LINE_SIZE], *text = calloc(1, SECTION_SIZE);
    bool is_inside = false, was_found = false;
    size_t used = 0;

    ck_assert_ptr_nonnull(text);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "-- ", 3) == 0) {
            is_inside = is_heading(line, name);
            was_found |= is_inside;
            continue;
        }
        if (!is_inside)
            continue;
        ck_assert_uint_lt(used + strlen(line), SECTION_SIZE);
        used += (size_t)snprintf(text + used, SECTION_SIZE - used, "%s", line);
    }
    fclose(file);
    ck_assert_msg(was_found, "%s has no section %s", page, name);
    return text;
}

static void leave(const char *page, const char *text)
{
    char path[LINE_SIZE];
    FILE *file;

    snprintf(path, sizeof path, "%s.out", page);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

void page_compare(const char *page, const char *name, const char *found)
{
    char *expected = page_section(page, name);
    const char *left = expected, *right = found;
    unsigned line = 1;

    if (strcmp(expected, found) != 0)
        leave(page, found);
    while (*left || *right) {
        size_t length = strcspn(left, "\n"), size = strcspn(right, "\n");

        ck_assert_msg(length == size && strncmp(left, right, size) == 0 &&
                          left[length] == right[size],
                      "%s, section %s, line %u: expected\n%.*s\nfound\n%.*s", page, name, line,
                      (int)length, left, (int)size, right);
        left += length + (left[length] == '\n');
        right += size + (right[size] == '\n');
        line++;
    }
    free(expected);
}
