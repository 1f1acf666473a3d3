/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks for names that tprof knows before any constructor ran, and again.
 */
#include <dlfcn.h>
#include <stdio.h>

float sdot_(void);
float sdot_(void)
{
    return 0;
}

static void *early;

static void look_up_early(int count, char **arguments, char **environment)
{
    (void)count, (void)arguments, (void)environment;
    early = dlsym(RTLD_DEFAULT, "sdot_");
}

__attribute__((section(".preinit_array"),
               used)) static void (*const first)(int, char **, char **) = look_up_early;

int main(void)
{
    void *late = dlsym(RTLD_DEFAULT, "sdot_");

    printf("%s, then %s, and none where %s\n", early ? "found" : "missing",
           late ? "found" : "missing",
           dlsym(RTLD_DEFAULT, "cblas_sgemm") ? "there is one" : "there is none");
    return 6;
}
