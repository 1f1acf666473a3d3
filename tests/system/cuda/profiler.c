/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that asks for kernels, starts a profiler of its own in the middle, as PyTorch's does,
 * and prints what that one saw.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct dim3 {
    unsigned x, y, z;
};

int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t shared, void *stream);
int cudaDeviceSynchronize(void);
int cuptiSubscribe(void **subscriber, void *call, void *user);
int cuptiUnsubscribe(void *subscriber);
int cuptiActivityRegisterCallbacks(void *request, void *completed);
int cuptiActivityEnable(uint32_t kind);
int cuptiActivityFlushAll(uint32_t flags);
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t used, uint32_t **record);

enum { LAUNCHES = 10, KERNEL = 10, SIZE = 1 << 16 };

static unsigned records;

static void request(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = malloc(SIZE);
    *size = SIZE;
    *most = 0;
}

static void completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    uint32_t *record = NULL;

    (void)context, (void)stream, (void)size;
    while (cuptiActivityGetNextRecord(buffer, used, &record) == 0)
        records += *record == KERNEL;
    free(buffer);
}

static void call(void *user, uint32_t domain, uint32_t number, const void *data)
{
    (void)user, (void)domain, (void)number, (void)data;
}

static void launch(void)
{
    struct dim3 grid = {3, 1, 1}, block = {32, 1, 1};

    for (int i = 0; i < LAUNCHES; i++)
        cudaLaunchKernel("my_kernel", grid, block, NULL, 0, NULL);
    cudaDeviceSynchronize();
}

int main(void)
{
    void *subscriber;

    launch();
    if (cuptiSubscribe(&subscriber, (void *)call, NULL) != 0 ||
        cuptiActivityRegisterCallbacks((void *)request, (void *)completed) != 0 ||
        cuptiActivityEnable(KERNEL) != 0)
        return 1;
    launch();
    cuptiActivityFlushAll(0);
    printf("launches %d, of which its own profiler saw %u\n", 2 * LAUNCHES, records);
    return 0;
}
