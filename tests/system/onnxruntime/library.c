/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library with ONNX Runtime's table of functions in version VERSION; its sessions add up their
 * models' bytes.  Missing entries are addresses that cannot be called.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#ifndef VERSION
#define VERSION "1.20.1"
#endif

static void *create(const void *environment, const char *path, const void *options, void **session)
{
    (void)environment;
    (void)options;
    if (!path || strcmp(path, "missing.onnx") == 0)
        return (void *)1;
    *session = calloc(1, 64);
    *(int *)*session = (int)strlen(path);
    return NULL;
}

static void *create_of_bytes(const void *environment, const void *model, size_t size,
                             const void *options, void **session)
{
    (void)environment;
    (void)model;
    (void)options;
    *session = calloc(1, 64);
    *(int *)*session = (int)size;
    return NULL;
}

static void *run(void *session, const void *options, const char *const *names,
                 const void *const *inputs, size_t count, const char *const *output_names,
                 size_t output_count, void **outputs)
{
    (void)options;
    (void)names;
    (void)inputs;
    (void)output_names;
    *(long *)outputs[0] += *(int *)session + (long)count + (long)output_count;
    return NULL;
}

static void *run_bound(void *session, const void *options, const void *binding)
{
    (void)options;
    **(long *const *)binding += *(int *)session;
    return NULL;
}

static void release(void *session)
{
    free(session);
}

static void *const table[TABLE_SIZE] = {
    [0 ... TABLE_SIZE - 1] = (void *)8,
    [CREATE_SESSION] = (void *)create,
    [CREATE_SESSION_FROM_ARRAY] = (void *)create_of_bytes,
    [RUN] = (void *)run,
    [RELEASE_SESSION] = (void *)release,
    [RUN_WITH_BINDING] = (void *)run_bound,
};

static const void *get_api(uint32_t version)
{
    if (version > (uint32_t)strtoul(strchr(VERSION, '.') + 1, NULL, 10))
        abort(); /* like ONNX Runtime */
    errno = EDOM;
    return table;
}

static const char *get_version(void)
{
    return VERSION;
}

const struct api_base *OrtGetApiBase(void)
{
    static const struct api_base base = {get_api, get_version};

    return &base;
}
