/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that mark ranges by NVTX.  Each prints the same with and without a tool.
 *
 *     ranges_nvtx all          every call, with known counts
 *     ranges_nvtx million      10^6 pushes and pops, and 10^6 spans
 *     ranges_nvtx names N      N names
 *     ranges_nvtx bad          pops without a push, NULL, long names, ids that are none
 *     ranges_nvtx crossed      domains that do not nest
 *     ranges_nvtx unended N    N spans that never end
 *     ranges_nvtx fork         a child ends the ranges of its parent
 *     ranges_nvtx older        a program with fewer functions
 *     ranges_nvtx environment  what getenv and environ say
 *     ranges_nvtx library      in a library that is loaded by dlopen
 */
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvtx_client.h"

extern char **environ;

enum { LONG_NAME = 100000 };

static void *end_elsewhere(void *id)
{
    nvtx_name_thread((uint32_t)syscall(SYS_gettid), "worker \xc3\xa9");
    nvtx_range_end(*(uint64_t *)id);
    return NULL;
}

static void all_in_domain(void)
{
    void *domain = nvtx_domain("library"), *name = nvtx_register(domain, "solve");
    struct nvtx_attributes look = nvtx_look(NULL);

    nvtx_domain_category(domain, 7, "numeric");
    look.message_type = NVTX_MESSAGE_REGISTERED;
    look.message = name;
    look.category = 7;
    look.colour_type = NVTX_COLOUR_ARGB;
    look.colour = 0xff76b900;
    for (int i = 0; i < 5; i++) {
        look.payload_type = 2;
        look.payload = (uint64_t)-i;
        nvtx_domain_push(domain, &look);
        nvtx_domain_pop(domain);
    }
    look.payload_type = 0;
    for (int i = 0; i < 4; i++)
        nvtx_domain_end(domain, nvtx_domain_start(domain, &look));
    nvtx_destroy(domain);
}

static void all(void)
{
    struct nvtx_attributes look = nvtx_look("first");
    pthread_t thread;
    uint64_t ids[3];

    for (int i = 0; i < 10; i++) {
        nvtx_push("outer");
        for (int j = 0; j < 3; j++) {
            nvtx_push_wide(L"inner \x20ac");
            nvtx_pop();
        }
        printf("pop: %d\n", nvtx_pop());
    }
    ids[0] = nvtx_range_start("loading");
    ids[1] = nvtx_range_start_wide(L"loading");
    look.colour_type = NVTX_COLOUR_ARGB;
    look.colour = 0xffff0000;
    ids[2] = nvtx_range_start_with(&look);
    usleep(20000);
    nvtx_range_end(ids[0]);
    pthread_create(&thread, NULL, end_elsewhere, &ids[1]);
    pthread_join(thread, NULL);
    nvtx_range_end(ids[2]);
    for (int i = 0; i < 6; i++)
        nvtx_mark("moment");
    look.payload_type = 3;
    look.payload = 0x3ff8000000000000; /* 1.5 */
    nvtx_mark_with(&look);
    nvtx_name_category(3, "unused");
    all_in_domain();
}

static void million(void)
{
    struct nvtx_attributes look = nvtx_look(NULL);
    void *domain = nvtx_domain("fast");

    look.message_type = NVTX_MESSAGE_REGISTERED;
    look.message = nvtx_register(domain, "registered");
    for (int i = 0; i < 500000; i++) {
        nvtx_push("plain");
        nvtx_pop();
        nvtx_domain_push(domain, &look);
        nvtx_domain_pop(domain);
    }
    for (int i = 0; i < 1000000; i++)
        nvtx_domain_end(domain, nvtx_domain_start(domain, &look));
}

static void names(long count)
{
    char name[32];

    for (long i = 0; i < count; i++) {
        snprintf(name, sizeof name, "name %ld", i);
        nvtx_push(name);
        nvtx_pop();
    }
    nvtx_push("name 0");
    nvtx_pop();
}

static void bad(void)
{
    struct nvtx_attributes look = nvtx_look(NULL);
    char *name = malloc(LONG_NAME);
    void *domain = nvtx_domain(NULL);

    for (int i = 0; i < 3; i++)
        nvtx_pop();
    nvtx_push(NULL);
    nvtx_pop();
    memset(name, 'x', LONG_NAME - 1);
    name[LONG_NAME - 1] = '\0';
    nvtx_push(name);
    nvtx_pop();
    nvtx_push("");
    nvtx_pop();
    nvtx_push("a\tb\nc");
    nvtx_pop();
    look.size = 8;
    nvtx_domain_push(domain, &look);
    nvtx_domain_pop(domain);
    nvtx_domain_push(NULL, NULL);
    nvtx_domain_pop(NULL);
    nvtx_range_end(0);
    nvtx_range_end(12345);
    nvtx_range_end(UINT64_MAX);
    for (int i = 0; i < 100; i++)
        nvtx_domain(name + i);
    for (int i = 0; i < 100000; i++) {
        nvtx_domain("again");
        nvtx_register(domain, "again");
    }
    for (int i = 0; i < 2000; i++) {
        snprintf(name, LONG_NAME, "domain %d", i);
        look = nvtx_look("same");
        nvtx_domain_push(nvtx_domain(name), &look);
        nvtx_domain_pop(nvtx_domain(name));
    }
    for (int i = 0; i < 20000; i++) {
        snprintf(name, LONG_NAME, "registered %d", i);
        nvtx_register(domain, name);
    }
    for (int i = 0; i < 300; i++)
        nvtx_push("deep");
    for (int i = 0; i < 300; i++)
        nvtx_pop();
    nvtx_push("open at the end");
    free(name);
}

/* first( second( ) ) in one domain, and third( ) that starts inside and ends outside. */
static void crossed(void)
{
    struct nvtx_attributes third = nvtx_look("third");
    void *domain = nvtx_domain("other");

    for (int i = 0; i < 4; i++) {
        nvtx_push("first");
        nvtx_push("second");
        nvtx_domain_push(domain, &third);
        nvtx_pop();
        nvtx_pop();
        usleep(1000);
        nvtx_domain_pop(domain);
    }
}

static void unended(long count)
{
    for (long i = 0; i < count; i++)
        nvtx_range_start("endless");
    nvtx_range_end(nvtx_range_start("ended"));
}

static void fork_inside(void)
{
    uint64_t id = nvtx_range_start("parent's");

    nvtx_push("open");
    fflush(stdout);
    if (fork() == 0) {
        nvtx_pop();
        nvtx_range_end(id);
        nvtx_push("child's");
        nvtx_pop();
        nvtx_range_end(nvtx_range_start("child's"));
        exit(0);
    }
    wait(NULL);
    nvtx_pop();
    nvtx_range_end(id);
}

static void say_environment(void)
{
    const char *told = getenv("NVTX_INJECTION64_PATH");
    int count = 0;

    for (char **variable = environ; *variable; variable++)
        count += strncmp(*variable, "NVTX_", 5) == 0 || strncmp(*variable, "INTEL_", 6) == 0;
    fprintf(stderr, "told: %s\nin environ: %d\n", told ? told : "nothing", count);
    fflush(stderr);
    execlp("env", "env", (char *)NULL);
}

static void load(void)
{
    void *library = dlopen("./libranges.so", RTLD_NOW | RTLD_LOCAL);
    void (*run)(void) = library ? (void (*)(void))dlsym(library, "run") : NULL;

    if (run)
        run();
    else
        printf("%s\n", dlerror());
}

void run(void);

void run(void)
{
    all();
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "all";
    long count = argc > 2 ? atol(argv[2]) : 1000000;

    if (strcmp(verb, "all") == 0)
        all();
    else if (strcmp(verb, "million") == 0)
        million();
    else if (strcmp(verb, "names") == 0)
        names(count);
    else if (strcmp(verb, "bad") == 0)
        bad();
    else if (strcmp(verb, "crossed") == 0)
        crossed();
    else if (strcmp(verb, "unended") == 0)
        unended(count);
    else if (strcmp(verb, "fork") == 0)
        fork_inside();
    else if (strcmp(verb, "library") == 0)
        load();
    else if (strcmp(verb, "environment") == 0)
        say_environment();
    else if (strcmp(verb, "older") == 0) {
        nvtx_core_size = 9;
        nvtx_push("missing");
        nvtx_mark("there");
    }
    printf("done\n");
    return 0;
}
