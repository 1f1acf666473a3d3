/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of functions from dlopen and dlsym.
 *
 * usage: lookup default | handle LIBRARY | often LIBRARY | local USER | global LIBRARY USER
 *               | deep USER | reopen USER | next | next_version VERSION
 *               | version LIBRARY VERSION | default_version VERSION | missing
 *               | origin NAME | loader NAME | many USER... | space USER
 *               | space_handle LIBRARY | space_again USER | space_origin NAME
 *               | same_place LIBRARY LIBRARY | plugin_next PLUGIN
 *               | handles LIBRARY... | in_turn
 *
 * LIBRARY exports cblas_sgemm, USER calls it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "loader.h"

enum { CALLS = 5, LOOKED_UP = 10000, REOPENED = 40, SPACES = 8 };

typedef float (*run_function)(int count);

/* C has no cast from an object pointer to a function; POSIX has the bits. */
union address {
    void *object;
    sgemm_function sgemm;
    run_function run;
    void *(*next)(const char *symbol);
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

/* Later look-ups come when the trace is open. */
static void look_up_often(char **arguments)
{
    void *library = open_library(arguments[0], RTLD_LOCAL | RTLD_NOW);
    float result = 0;

    for (int i = 0; i < CALLS; i++)
        result += blas_run((union address){must(dlsym(library, "cblas_sgemm"))}.sgemm, 1);
    say(result, CALLS);
}

/* Two objects ask for one function. */
static void look_up_in_turn(char **arguments)
{
    void *found = NULL;

    (void)arguments;
    for (int i = 0; i < LOOKED_UP; i++) {
        must(dlsym(RTLD_DEFAULT, "cblas_sgemm"));
        found = must(loader_next("cblas_sgemm"));
    }
    run_address(found);
}

static void look_up_version(char **arguments)
{
    run_address(must(dlvsym(open_library(arguments[0], RTLD_NOW), "cblas_sgemm", arguments[1])));
}

static void look_up_default_version(char **arguments)
{
    run_address(must(dlvsym(RTLD_DEFAULT, "cblas_sgemm", arguments[0])));
}

/* The plugin is a copy of the loader. */
static void look_up_plugin_next(char **arguments)
{
    void *plugin = open_library(arguments[0], RTLD_LOCAL | RTLD_NOW);

    run_address(must((union address){must(dlsym(plugin, "loader_next"))}.next("cblas_sgemm")));
}

static void look_up_next_version(char **arguments)
{
    run_address(must(loader_next_version("cblas_sgemm", arguments[0])));
}

static void look_up_next(char **arguments)
{
    (void)arguments;
    run_address(must(loader_next("cblas_sgemm")));
}

/* Missing symbols stay missing, with the loader's own message. */
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

/* Each time the library may get another address. */
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

static void *open_space(const char *path)
{
    return must(dlmopen(LM_ID_NEWLM, path, RTLD_LAZY));
}

static void run_space(char **arguments)
{
    run_user(open_space(arguments[0]));
}

static void run_space_handle(char **arguments)
{
    run_address(must(dlsym(open_space(arguments[0]), "cblas_sgemm")));
}

/* Each has its own libraries; some are unloaded, and others replace them. */
static void run_spaces(char **arguments)
{
    float result = 0;

    for (int i = 0; i < SPACES; i++) {
        void *library = open_space(arguments[0]);

        result += (union address){must(dlsym(library, "user_run"))}.run(1);
        if (i % 2 == 0)
            dlclose(library);
    }
    say(result, SPACES);
}

static void run_space_by_origin(char **arguments)
{
    run_user(must(loader_space(arguments[0])));
}

/* The second library comes to where the first one was. */
static void run_same_place(char **arguments)
{
    void *library = open_library(arguments[0], RTLD_LOCAL | RTLD_NOW);
    void *first = must(dlsym(library, "user_run"));
    float result = (union address){first}.run(CALLS);
    void *second;

    dlclose(library);
    second = must(dlsym(open_library(arguments[1], RTLD_LOCAL | RTLD_NOW), "user_run"));
    result += 10 * (union address){second}.run(CALLS);
    fprintf(stderr, "%s place\n", first == second ? "same" : "another");
    say(result, 2 * CALLS);
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

static void look_up_handles(char **arguments)
{
    float result = 0;
    int calls = 0;

    for (; *arguments; arguments++, calls++) {
        void *library = open_library(*arguments, RTLD_LOCAL | RTLD_LAZY);

        result += blas_run((union address){must(dlsym(library, "cblas_sgemm"))}.sgemm, 1);
    }
    say(result, calls);
}

static const struct {
    const char *name;
    void (*run)(char **arguments);
} verbs[] = {
    {"handles", look_up_handles},
    {"default", look_up_default},
    {"handle", look_up_handle},
    {"often", look_up_often},
    {"in_turn", look_up_in_turn},
    {"version", look_up_version},
    {"default_version", look_up_default_version},
    {"next", look_up_next},
    {"plugin_next", look_up_plugin_next},
    {"next_version", look_up_next_version},
    {"missing", look_up_missing},
    {"local", open_local},
    {"global", open_global},
    {"deep", open_deep},
    {"reopen", open_again},
    {"origin", open_by_origin},
    {"loader", open_by_loader},
    {"many", open_many},
    {"space", run_space},
    {"space_handle", run_space_handle},
    {"space_again", run_spaces},
    {"space_origin", run_space_by_origin},
    {"same_place", run_same_place},
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
