/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of what dlopen and dlsym give.
 *
 * usage: lookup default | handle LIBRARY | local USER | global LIBRARY USER
 *               | deep USER | reopen USER | next | version LIBRARY | missing
 *               | origin NAME | loader NAME | many USER...
 *
 * LIBRARY exports cblas_sgemm, USER calls it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "loader.h"

enum { CALLS = 5, REOPENED = 40 };

typedef float (*run_function)(int count);

/* C has no cast from an object pointer to a function; POSIX has the bits. */
union address {
    void *object;
    sgemm_function sgemm;
    run_function run;
};

static void *must(void *found)
{
    if (found)
        return found;
    printf("error: %s\n", dlerror());
    exit(EXIT_FAILURE);
}

static void *open_library(const char *path, int mode)
{
    return must(dlopen(path, mode));
}

static void say(float result, int calls)
{
    printf("result %g\ntruth: calls %d\n", (double)result, calls);
}

static void run_address(void *address)
{
    say(blas_run((union address){address}.sgemm, CALLS), CALLS);
}

static void run_user(void *library)
{
    say((union address){must(dlsym(library, "user_run"))}.run(CALLS), CALLS);
}

static void look_up_default(char **arguments)
{
    (void)arguments;
    run_address(must(dlsym(RTLD_DEFAULT, "cblas_sgemm")));
}

static void look_up_handle(char **arguments)
{
    run_address(must(dlsym(open_library(arguments[0], RTLD_LOCAL | RTLD_NOW), "cblas_sgemm")));
}

static void look_up_version(char **arguments)
{
    run_address(must(dlvsym(open_library(arguments[0], RTLD_NOW), "cblas_sgemm", "ROUTES_1")));
}

static void look_up_next(char **arguments)
{
    (void)arguments;
    run_address(must(loader_next("cblas_sgemm")));
}

/* What is not there stays so, with the loader's own message. */
static void look_up_missing(char **arguments)
{
    (void)arguments;
    printf("%s\n", dlsym(RTLD_DEFAULT, "cblas_nonsense") ? "found" : "not found");
    printf("%s\n", dlerror() ? "with a message" : "without a message");
    printf("%s\n", dlopen("/nowhere/at/all.so", RTLD_NOW) ? "opened" : "not opened");
    printf("%s\n", dlerror());
    printf("%s\n", dlerror() ? "a second message" : "no second message");
}

static void open_local(char **arguments)
{
    run_user(open_library(arguments[0], RTLD_LOCAL | RTLD_LAZY));
}

static void open_global(char **arguments)
{
    open_library(arguments[0], RTLD_GLOBAL | RTLD_LAZY);
    run_user(open_library(arguments[1], RTLD_LOCAL | RTLD_LAZY));
}

static void open_deep(char **arguments)
{
    run_user(open_library(arguments[0], RTLD_LOCAL | RTLD_LAZY | RTLD_DEEPBIND));
}

/* Each time the library may come to another address. */
static void open_again(char **arguments)
{
    float result = 0;

    for (int i = 0; i < REOPENED; i++) {
        void *library = open_library(arguments[0], RTLD_LOCAL | RTLD_LAZY);
        void *gap = malloc((size_t)(i + 1) << 16);

        result += (union address){must(dlsym(library, "user_run"))}.run(1);
        dlclose(library);
        free(gap);
    }
    say(result, REOPENED);
}

static void open_by_origin(char **arguments)
{
    run_user(open_library(arguments[0], RTLD_LOCAL | RTLD_LAZY));
}

static void open_by_loader(char **arguments)
{
    run_user(must(loader_open(arguments[0], RTLD_LOCAL | RTLD_LAZY)));
}

static void open_many(char **arguments)
{
    float result = 0;
    int calls = 0;

    for (; *arguments; arguments++) {
        void *library = open_library(*arguments, RTLD_LOCAL | RTLD_LAZY);

        result += (union address){must(dlsym(library, "user_run"))}.run(1);
        calls++;
    }
    say(result, calls);
}

static const struct {
    const char *name;
    void (*run)(char **arguments);
} verbs[] = {
    {"default", look_up_default}, {"handle", look_up_handle}, {"version", look_up_version},
    {"next", look_up_next},       {"missing", look_up_missing}, {"local", open_local},
    {"global", open_global},      {"deep", open_deep},        {"reopen", open_again},
    {"origin", open_by_origin},   {"loader", open_by_loader}, {"many", open_many},
};

int main(int count, char **arguments)
{
    for (size_t i = 0; count > 1 && i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, arguments[1]) == 0) {
            verbs[i].run(arguments + 2);
            return 0;
        }
    return 2;
}
