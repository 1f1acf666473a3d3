/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For a sanitizer: it allocates, looks up a name that tprof knows and leaves with its own status;
 * with an argument it makes the mistake that the sanitizer must report.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    char *volatile block = malloc(100);

    (void)arguments;
    block[count > 1 ? 100 : 99] = 1;
    free(block);
    puts(dlsym(RTLD_DEFAULT, "sgemm_") ? "it has a kernel" : "it ran");
    return 5;
}
