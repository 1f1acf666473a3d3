/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sessions of ONNX Runtime, made, run and ended: `program CALLS` makes CALLS runs of one model and
 * twice as many of a second.  With LOOKED_UP the library is opened and its function is looked up by
 * name; with EARLY another library has asked for the functions; with PLUGIN a library opened later.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "table.h"

typedef void *(*creator)(const void *, const char *, const void *, void **);
typedef void *(*creator_of_bytes)(const void *, const void *, size_t, const void *, void **);
typedef void *(*runner)(void *, const void *, const char *const *, const void *const *, size_t,
                        const char *const *, size_t, void **);
typedef void *(*bound_runner)(void *, const void *, const void *);
typedef void (*releaser)(void *);

static const struct api_base *find_base(void)
{
#ifdef LOOKED_UP
    void *library = dlopen("./libonnxruntime.so.1", RTLD_NOW);
    void *found = library ? dlsym(library, "OrtGetApiBase") : NULL;

    return found ? ((const struct api_base *(*)(void))found)() : NULL;
#elif defined(PLUGIN)
    void *library = dlopen("./libearly.so", RTLD_NOW);
    void *found = library ? dlsym(library, "early_base") : NULL;

    return found ? ((const struct api_base *(*)(void))found)() : NULL;
#elif defined(EARLY)
    return early_base();
#else
    return OrtGetApiBase();
#endif
}

int main(int count, char **arguments)
{
    int calls = count > 1 ? atoi(arguments[1]) : 3;
    const struct api_base *base = find_base();
    void *const *table;
    void *first, *second, *third, *outputs[1], *none = NULL;
    long sum = 0, *binding = &sum;

    printf("errno %d\n", errno);
    table = base->get_api(1);
    outputs[0] = &sum;
    if (((creator)table[CREATE_SESSION])(NULL, NULL, NULL, &none))
        puts("there is no path");
    if (((creator)table[CREATE_SESSION])(NULL, "missing.onnx", NULL, &none))
        puts("a model is missing");
    ((creator)table[CREATE_SESSION])(NULL, "models/encoder.onnx", NULL, &first);
    ((creator)table[CREATE_SESSION])(NULL, "models/encoder.int8.onnx", NULL, &second);
    ((creator_of_bytes)table[CREATE_SESSION_FROM_ARRAY])(NULL, "model", 5, NULL, &third);
    for (int i = 0; i < calls; i++) {
        ((runner)table[RUN])(first, NULL, NULL, NULL, 1, NULL, 1, outputs);
        ((runner)table[RUN])(second, NULL, NULL, NULL, 2, NULL, 1, outputs);
        ((runner)table[RUN])(second, NULL, NULL, NULL, 2, NULL, 1, outputs);
    }
    ((runner)table[RUN])(third, NULL, NULL, NULL, 1, NULL, 1, outputs);
    ((bound_runner)table[RUN_WITH_BINDING])(first, NULL, &binding);
    ((releaser)table[RELEASE_SESSION])(first);
    ((creator)table[CREATE_SESSION])(NULL, "models/encoder.onnx", NULL, &first);
    ((runner)table[RUN])(first, NULL, NULL, NULL, 1, NULL, 1, outputs);
    ((releaser)table[RELEASE_SESSION])(first);
    ((releaser)table[RELEASE_SESSION])(second);
    ((releaser)table[RELEASE_SESSION])(third);
    printf("%ld\n", sum);
    return 0;
}
