/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program whose runtime of CUDA is linked into it: it opens the driver, and asks it for functions
 * by name.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*address_getter)(const char *, void **, int, uint64_t, void *);
typedef int (*allocator)(void **, size_t);
typedef int (*releaser)(void *);
typedef int (*launcher)(const void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, void *, void **, void **);

enum { VERSION = 13000, LAUNCHES = 12, BLOCKS = 5, SIZE = 1 << 20 };

static void *get(address_getter getter, const char *name)
{
    void *function = NULL;

    if (getter(name, &function, VERSION, 0, NULL) != 0)
        abort();
    return function;
}

int main(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *first, *second;
    address_getter getter = driver ? (address_getter)dlsym(driver, "cuGetProcAddress_v2") : NULL;
    allocator allocate;

    if (!getter)
        return 1;
    allocate = (allocator)get(getter, "cuMemAlloc");
    allocate(&first, SIZE);
    allocate(&second, 2 * SIZE);
    ((releaser)get(getter, "cuMemFree"))(first);
    for (int i = 0; i < LAUNCHES; i++)
        ((launcher)get(getter, "cuLaunchKernel"))("linked_kernel", BLOCKS, 1, 1, 64, 1, 1, 0, NULL,
                                                  NULL, NULL);
    ((int (*)(void))get(getter, "cuCtxSynchronize"))();
    printf("launches %d peak %d kept %d\n", LAUNCHES, 3 * SIZE, 2 * SIZE);
    return 0;
}
