/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that mark ranges by ITT.  Each prints the same with and without a collector.
 *
 *     ranges_itt all         every call, with known counts
 *     ranges_itt million     10^6 tasks
 *     ranges_itt table KIND  a static part of another layout: stride, magic, unended
 *     ranges_itt bad         ends without begins, names that are none, frames that never end
 */
#include <unistd.h>

#include "itt_client.h"

static struct itt_domain early = {.flags = 1, .name = "early"};
static struct itt_string early_name = {.text = "adopted"};

static void all(void)
{
    struct itt_domain *domain = ITT_CALL(domain_create, NULL, "dnnl::primitive::execute");
    struct itt_string *matmul = ITT_CALL(string_handle_create, NULL, "matmul");
    struct itt_string *reorder = ITT_CALL(string_handle_create, NULL, "reorder");
    void *counter = ITT_CALL(counter_create, NULL, "bytes", "early");
    void *real = ITT_CALL(counter_create_typed, NULL, "loss", NULL, 8);
    struct itt_id one = {1, 2, 3}, two = {1, 2, 4};
    double loss = 0.25;
    uint64_t begin;

    ITT_VOID(thread_set_name, "first thread");
    for (int i = 0; i < 8; i++) {
        ITT_IN(domain, task_begin, itt_null, itt_null, matmul);
        ITT_IN(domain, task_begin, itt_null, itt_null, reorder);
        ITT_IN(domain, task_end);
        ITT_IN(domain, task_end);
    }
    for (int i = 0; i < 3; i++) {
        ITT_IN(&early, task_begin, itt_null, itt_null, &early_name);
        ITT_IN(&early, task_end);
    }
    ITT_IN(&early, task_begin_fn, itt_null, itt_null, (void *)(uintptr_t)0xabc);
    ITT_IN(&early, task_end);
    ITT_IN(&early, task_begin_overlapped, one, itt_null, &early_name);
    ITT_IN(&early, task_begin_overlapped, two, itt_null, &early_name);
    ITT_IN(&early, task_end_overlapped, one);
    ITT_IN(&early, task_end_overlapped, two);
    for (int i = 0; i < 2; i++) {
        ITT_IN(&early, frame_begin_v3, NULL);
        ITT_IN(&early, frame_end_v3, NULL);
    }
    begin = ITT_CALL(get_timestamp, 0);
    usleep(10000);
    ITT_IN(&early, frame_submit_v3, NULL, begin, ITT_CALL(get_timestamp, 0));
    usleep(20000);
    for (int i = 0; i < 5; i++)
        ITT_IN(&early, marker, itt_null, &early_name, 1);
    ITT_VOID(pause);
    ITT_VOID(resume);
    ITT_VOID(counter_inc_delta, counter, 40);
    ITT_VOID(counter_inc_delta, counter, 2);
    ITT_VOID(counter_set_value, real, &loss);
    ITT_VOID(sync_create, &early, "type", "name", 0);
}

static void million(void)
{
    struct itt_domain *domain = ITT_CALL(domain_create, NULL, "fast");
    struct itt_string *name = ITT_CALL(string_handle_create, NULL, "task");

    for (int i = 0; i < 1000000; i++) {
        ITT_IN(domain, task_begin, itt_null, itt_null, name);
        ITT_IN(domain, task_end);
    }
}

/* Rows of the old layout lack the fourth member. */
static struct {
    const char *name;
    void **function;
    void *initial;
    uint64_t group;
} old_rows[] = {{"__itt_task_begin", &itt_task_begin_function, NULL, 1},
                {"__itt_task_end", &itt_task_end_function, NULL, 1},
                {"__itt_pause", &itt_pause_function, NULL, 1},
                {NULL, NULL, NULL, 0}};

static struct itt_row full_rows[2000];

static void table(const char *kind)
{
    if (strcmp(kind, "stride") == 0)
        itt_global.rows = (struct itt_row *)(void *)old_rows;
    if (strcmp(kind, "magic") == 0)
        itt_global.magic[0] = 0;
    if (strcmp(kind, "null") == 0)
        itt_global.rows = NULL;
    for (int i = 0; i < 2000; i++)
        full_rows[i] = itt_rows[0];
    if (strcmp(kind, "unended") == 0)
        itt_global.rows = full_rows;
    itt_start();
    printf("filled: %d\n", itt_task_begin_function != NULL);
    ITT_IN(&early, task_begin, itt_null, itt_null, &early_name);
    ITT_IN(&early, task_end);
}

static void bad(void)
{
    struct itt_domain *domain = ITT_CALL(domain_create, NULL, "bad"), off = {.name = "off"};
    struct itt_id id = {9, 9, 9};

    ITT_IN(domain, task_end);
    ITT_IN(domain, task_end_overlapped, id);
    ITT_IN(domain, frame_end_v3, NULL);
    ITT_IN(domain, task_begin, itt_null, itt_null, NULL);
    ITT_IN(domain, task_end);
    ITT_IN(&off, task_begin, itt_null, itt_null, NULL);
    ITT_IN(domain, frame_begin_v3, NULL);
    ITT_IN(domain, frame_begin_v3, NULL);
    ITT_IN(domain, frame_submit_v3, NULL, 5, 3);
    ITT_IN(domain, frame_submit_v3, NULL, UINT64_MAX - 5, UINT64_MAX - 1);
    ITT_VOID(resume);
    ITT_VOID(thread_set_name, NULL);
    ITT_VOID(counter_inc_delta, NULL, 1);
    ITT_CALL(domain_create, NULL, NULL);
    ITT_CALL(string_handle_create, NULL, NULL);
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "all";

    if (strcmp(verb, "all") == 0)
        all();
    else if (strcmp(verb, "million") == 0)
        million();
    else if (strcmp(verb, "table") == 0)
        table(argc > 2 ? argv[2] : "");
    else if (strcmp(verb, "bad") == 0)
        bad();
    printf("done\n");
    return 0;
}
