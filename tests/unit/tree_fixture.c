/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder of synthetic files.
 */
#include "tree_fixture.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

void tree_make(char *root)
{
    memcpy(root + strlen(root) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(root));
}

void tree_remove(const char *root)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf ./%s", root);
    ck_assert_int_eq(system(command), 0);
}

void tree_put(const char *root, const char *name, const char *content)
{
    char path[PATH_MAX];
    FILE *file;

    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
}
