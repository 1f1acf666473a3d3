/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of CUDA with one habit, by its name: each is a loss, or its repair.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dim3 {
    unsigned x, y, z;
};

int cudaMalloc(void **place, size_t size);
int cudaMallocHost(void **place, size_t size);
int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t shared, void *stream);
int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream);
int cudaStreamCreate(void **stream);
int cudaStreamSynchronize(void *stream);
int cudaDeviceSynchronize(void);
int cublasSgemm_v2(void *, int, int, int, int, int, const float *, const float *, int,
                   const float *, int, const float *, float *, int);
int cublasDgemm_v2_64(void *, int, int, long, long, long, const double *, const double *, long,
                      const double *, long, const double *, double *, long);

enum { ROUNDS = 100, TO_DEVICE = 1, MIB = 1 << 20, PIECE = 4 * MIB };

static void *streams[2];

/* Takes a microsecond a block. */
static void launch(unsigned blocks, unsigned threads, void *stream)
{
    struct dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};

    cudaLaunchKernel("work_kernel", grid, block, NULL, 0, stream);
}

/* The host prepares each piece while the device waits for it. */
static void idle(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        launch(1000, 256, streams[0]);
        cudaStreamSynchronize(streams[0]);
        usleep(3000);
    }
}

static void busy(void)
{
    for (int i = 0; i < ROUNDS; i++)
        launch(4000, 256, streams[0]);
}

static void copy_and_compute(void *host, void *copying, void *computing)
{
    void *device;

    cudaMalloc(&device, PIECE);
    memset(host, 0, PIECE);
    for (int i = 0; i < ROUNDS; i++) {
        cudaMemcpyAsync(device, host, PIECE, TO_DEVICE, copying);
        launch(4000, 256, computing);
    }
}

static void *obtain_pinned(void)
{
    void *host;

    cudaMallocHost(&host, PIECE);
    return host;
}

static void serial(void)
{
    copy_and_compute(obtain_pinned(), streams[0], streams[0]);
}

static void overlapped(void)
{
    copy_and_compute(obtain_pinned(), streams[0], streams[1]);
}

static void pageable(void)
{
    copy_and_compute(malloc(PIECE), streams[0], streams[1]);
}

/* Data that is loaded once. */
static void loaded(void)
{
    void *device, *host;

    cudaMalloc(&device, (size_t)ROUNDS * MIB);
    cudaMallocHost(&host, (size_t)ROUNDS * MIB);
    cudaMemcpyAsync(device, host, (size_t)ROUNDS * MIB, TO_DEVICE, streams[0]);
    for (int i = 0; i < ROUNDS; i++)
        launch(1000, 256, streams[0]);
}

static void doubles(void)
{
    for (int i = 0; i < ROUNDS; i++)
        cublasDgemm_v2_64(NULL, 0, 0, 512, 512, 64, NULL, NULL, 1, NULL, 1, NULL, NULL, 1);
}

static void floats(void)
{
    for (int i = 0; i < ROUNDS; i++)
        cublasSgemm_v2(NULL, 0, 0, 512, 512, 64, NULL, NULL, 1, NULL, 1, NULL, NULL, 1);
}

static void narrow(void)
{
    for (int i = 0; i < ROUNDS; i++)
        launch(1000, 1, streams[0]);
}

static void narrow_in_two(void)
{
    for (int i = 0; i < ROUNDS; i++)
        launch(1000, 1, streams[i % 2]);
}

static void wide(void)
{
    for (int i = 0; i < ROUNDS; i++)
        launch(1000, 256, streams[0]);
}

static void hold(size_t bytes)
{
    void *place;

    cudaMalloc(&place, bytes);
    launch(1000, 256, streams[0]);
}

static void full(void)
{
    hold((size_t)950 * MIB);
}

static void half(void)
{
    hold((size_t)500 * MIB);
}

static const struct habit {
    const char *name;
    void (*run)(void);
} habits[] = {{"idle", idle},       {"busy", busy},
              {"serial", serial},   {"overlapped", overlapped},
              {"loaded", loaded},   {"pageable", pageable},
              {"doubles", doubles}, {"floats", floats},
              {"narrow", narrow},   {"narrow_in_two", narrow_in_two},
              {"wide", wide},       {"full", full},
              {"half", half}};

int main(int count, char **arguments)
{
    void *place;

    cudaMalloc(&place, MIB);
    cudaStreamCreate(&streams[0]);
    cudaStreamCreate(&streams[1]);
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (count > 1 && strcmp(habits[i].name, arguments[1]) == 0) {
            habits[i].run();
            return cudaDeviceSynchronize();
        }
    return 2;
}
