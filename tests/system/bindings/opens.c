/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens libraries, each with its mode: FILE local|global|deep...  Tells choices.c of each.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void choices_note(int mode) __attribute__((weak));

static int mode_of(const char *word)
{
    if (strcmp(word, "global") == 0)
        return RTLD_NOW | RTLD_GLOBAL;
    if (strcmp(word, "deep") == 0)
        return RTLD_NOW | RTLD_DEEPBIND;
    return RTLD_NOW;
}

int main(int count, char **words)
{
    for (int i = 1; i + 1 < count; i += 2) {
        int mode = mode_of(words[i + 1]);

        if (!dlopen(words[i], mode)) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        if (choices_note)
            choices_note(mode);
    }
    return 0;
}
