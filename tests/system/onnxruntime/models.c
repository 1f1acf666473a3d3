/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of ONNX Runtime that are easily confused.  `models threads`: several threads load as many
 * models at once, again and again.  `models alike`: two models of one size in memory, one of them
 * loaded twice; two files whose paths end alike; and one in a folder of 30 two-byte letters.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

enum { THREADS = 8, ROUNDS = 200, MODEL_SIZE = 100000 };

#define LONG_FOLDER "/resources/production/speech/recognition/release/models/"
#define TEN_LETTERS "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"

typedef void *(*creator)(const void *, const char *, const void *, void **);
typedef void *(*creator_of_bytes)(const void *, const void *, size_t, const void *, void **);
typedef void (*releaser)(void *);

static void *const *table;
static pthread_barrier_t barrier;

static void load(const char *path)
{
    void *session;

    ((creator)table[CREATE_SESSION])(NULL, path, NULL, &session);
    ((releaser)table[RELEASE_SESSION])(session);
}

static void load_bytes(const char *model)
{
    void *session;

    ((creator_of_bytes)table[CREATE_SESSION_FROM_ARRAY])(NULL, model, MODEL_SIZE, NULL, &session);
    ((releaser)table[RELEASE_SESSION])(session);
}

static void *load_at_once(void *of)
{
    for (int round = 0; round < ROUNDS; round++) {
        char path[32];

        snprintf(path, sizeof path, "%d_%d.onnx", (int)(intptr_t)of, round);
        pthread_barrier_wait(&barrier);
        load(path);
    }
    return NULL;
}

static void load_in_threads(void)
{
    pthread_t threads[THREADS];

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, load_at_once, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void load_alike(void)
{
    char *first = calloc(1, MODEL_SIZE), *second = calloc(1, MODEL_SIZE);

    memset(second + MODEL_SIZE / 2, 1, MODEL_SIZE / 100);
    load_bytes(first);
    load_bytes(second);
    load_bytes(first);
    load("/opt/a" LONG_FOLDER "m.onnx");
    load("/opt/b" LONG_FOLDER "m.onnx");
    load("/" TEN_LETTERS TEN_LETTERS TEN_LETTERS "/m1.onnx");
    free(first);
    free(second);
}

int main(int count, char **arguments)
{
    table = OrtGetApiBase()->get_api(1);
    if (count > 1 && strcmp(arguments[1], "threads") == 0)
        load_in_threads();
    else
        load_alike();
    return 0;
}
