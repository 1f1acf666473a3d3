/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's side of NVTX 3, as its inline code does it: the first call asks the environment for a
 * tool, loads it, and hands it the table of the functions; without a tool all of them do nothing.
 */
#ifndef TESTS_SYSTEM_NVTX_CLIENT_H
#define TESTS_SYSTEM_NVTX_CLIENT_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "ranges/nvtx.h"

typedef void (*nvtx_function)(void);

/* The functions by their modules and numbers; place 0 is none, and one more place ends a module. */
enum { NVTX_CORE_SIZE = 16, NVTX_CORE2_SIZE = 16 };
static nvtx_function nvtx_core[NVTX_CORE_SIZE], nvtx_core2[NVTX_CORE2_SIZE];
static nvtx_function *nvtx_core_table[NVTX_CORE_SIZE + 1], *nvtx_core2_table[NVTX_CORE2_SIZE + 1];
static unsigned nvtx_core_size = NVTX_CORE_SIZE; /* an older program has fewer */
static int nvtx_has_tool = -1;

static int nvtx_get_module(int module, void ****table, unsigned *size)
{
    if (module != NVTX_MODULE_CORE && module != NVTX_MODULE_CORE2)
        return 0;
    *size = module == NVTX_MODULE_CORE ? nvtx_core_size : NVTX_CORE2_SIZE;
    *table = (void ***)(module == NVTX_MODULE_CORE ? nvtx_core_table : nvtx_core2_table);
    return 1;
}

static struct nvtx_callbacks nvtx_callbacks = {sizeof nvtx_callbacks, nvtx_get_module};

static const void *nvtx_table(uint32_t table)
{
    return table == NVTX_TABLE_CALLBACKS ? &nvtx_callbacks : NULL;
}

/* The tool that a program was linked with. */
typedef int (*nvtx_starter)(nvtx_get_table get_table);
__attribute__((weak)) nvtx_starter InitializeInjectionNvtx2_fnptr;

static nvtx_starter nvtx_find_tool(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    void *starter = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;

    return starter ? (nvtx_starter)starter : InitializeInjectionNvtx2_fnptr;
}

static void nvtx_start(void)
{
    nvtx_starter starter;

    if (nvtx_has_tool >= 0)
        return;
    for (int i = 1; i < NVTX_CORE_SIZE; i++)
        nvtx_core_table[i] = &nvtx_core[i];
    for (int i = 1; i < NVTX_CORE2_SIZE; i++)
        nvtx_core2_table[i] = &nvtx_core2[i];
    starter = nvtx_find_tool();
    nvtx_has_tool = starter && starter(nvtx_table);
}

#define NVTX_CALL(table, number, type, none, ...)                                                  \
    (nvtx_start(), (table)[number] ? ((type)(table)[number])(__VA_ARGS__) : (none))

#define nvtx_push(text) NVTX_CALL(nvtx_core, 9, int (*)(const char *), -2, text)
#define nvtx_push_wide(text) NVTX_CALL(nvtx_core, 10, int (*)(const wchar_t *), -2, text)
#define nvtx_pop() NVTX_CALL(nvtx_core, 11, int (*)(void), -2)
#define nvtx_push_with(look)                                                                       \
    NVTX_CALL(nvtx_core, 8, int (*)(const struct nvtx_attributes *), -2, look)
#define nvtx_range_start(text) NVTX_CALL(nvtx_core, 5, uint64_t (*)(const char *), 0, text)
#define nvtx_range_start_wide(text) NVTX_CALL(nvtx_core, 6, uint64_t (*)(const wchar_t *), 0, text)
#define nvtx_range_start_with(look)                                                                \
    NVTX_CALL(nvtx_core, 4, uint64_t (*)(const struct nvtx_attributes *), 0, look)
#define nvtx_range_end(id) NVTX_CALL(nvtx_core, 7, void (*)(uint64_t), (void)0, id)
#define nvtx_mark(text) NVTX_CALL(nvtx_core, 2, void (*)(const char *), (void)0, text)
#define nvtx_mark_with(look)                                                                       \
    NVTX_CALL(nvtx_core, 1, void (*)(const struct nvtx_attributes *), (void)0, look)
#define nvtx_name_category(number, text)                                                           \
    NVTX_CALL(nvtx_core, 12, void (*)(uint32_t, const char *), (void)0, number, text)
#define nvtx_name_thread(number, text)                                                             \
    NVTX_CALL(nvtx_core, 14, void (*)(uint32_t, const char *), (void)0, number, text)
#define nvtx_domain(text) NVTX_CALL(nvtx_core2, 12, void *(*)(const char *), NULL, text)
#define nvtx_destroy(domain) NVTX_CALL(nvtx_core2, 14, void (*)(void *), (void)0, domain)
#define nvtx_register(domain, text)                                                                \
    NVTX_CALL(nvtx_core2, 10, void *(*)(void *, const char *), NULL, domain, text)
#define nvtx_domain_category(domain, number, text)                                                 \
    NVTX_CALL(nvtx_core2, 8, void (*)(void *, uint32_t, const char *), (void)0, domain, number,    \
              text)
#define nvtx_domain_push(domain, look)                                                             \
    NVTX_CALL(nvtx_core2, 4, int (*)(void *, const struct nvtx_attributes *), -2, domain, look)
#define nvtx_domain_pop(domain) NVTX_CALL(nvtx_core2, 5, int (*)(void *), -2, domain)
#define nvtx_domain_start(domain, look)                                                            \
    NVTX_CALL(nvtx_core2, 2, uint64_t (*)(void *, const struct nvtx_attributes *), 0, domain, look)
#define nvtx_domain_end(domain, id)                                                                \
    NVTX_CALL(nvtx_core2, 3, void (*)(void *, uint64_t), (void)0, domain, id)

static inline struct nvtx_attributes nvtx_look(const char *text)
{
    return (struct nvtx_attributes){.version = 3,
                                    .size = sizeof(struct nvtx_attributes),
                                    .message_type = NVTX_MESSAGE_ASCII,
                                    .message = text};
}

#endif
