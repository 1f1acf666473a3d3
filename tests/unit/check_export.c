/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats of call stacks, on the page tests/cases/export.case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/export.h"
#include "made_session.h"
#include "model/session.h"
#include "page.h"
#include "suite.h"

static struct session session;
static struct export_stacks stacks;

/* "apply /src/layer.hh 14": a name, a file or "-", and a line. */
static struct call_node *enter_frame(struct call_node *node, char *frame)
{
    char *line = strrchr(frame, ' '), *file;

    ck_assert_ptr_nonnull(line);
    *line++ = '\0';
    file = strrchr(frame, ' ');
    ck_assert_ptr_nonnull(file);
    *file++ = '\0';
    return call_tree_enter_frame(&stacks.tree, node,
                                 &(struct call_frame){.name = frame,
                                                      .library = "app",
                                                      .file = strcmp(file, "-") != 0 ? file : NULL,
                                                      .line = (uint32_t)atoi(line)});
}

/* "cpu=1500 | main /src/app.cc 3 | apply /src/layer.hh 14" */
static void add_stack(char *line)
{
    static const char separator[] = " | ";
    char *next = strstr(line, separator), *number = strchr(line, '=');
    struct call_node *node = stacks.tree.root;
    enum export_weight weight = 0;

    ck_assert_ptr_nonnull(number);
    *number++ = '\0';
    while (strcmp(export_weight_at(weight)->name, line) != 0)
        weight++;
    while (next) {
        char *frame = next + strlen(separator);

        next = strstr(frame, separator);
        if (next)
            *next = '\0';
        node = enter_frame(node, frame);
    }
    node->weights[weight].own += atof(number);
    stacks.has[weight] = true;
}

static void setup(void)
{
    char *lines = page_section("export.case", "stacks"), *rest = lines;

    made_init(&session);
    session.path = "app.tprof";
    session.process.realtime_start_ns = 1700000000123456789;
    export_stacks_init(&stacks, EXPORT_BY_FUNCTION, CALL_FRAMES_BY_LINE);
    stacks.session = &session;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        add_stack(line);
    call_tree_sum_up(&stacks.tree);
    free(lines);
}

static void teardown(void)
{
    made_fini(&session);
}

static const struct {
    const char *format;
    enum export_weight weight;
} cases[] = {
    {"folded", EXPORT_CPU},
    {"cpuprofile", EXPORT_CPU},
    {"heapprofile", EXPORT_PEAK},
};

static const struct export_format *find_format(const char *name)
{
    size_t i = 0;

    while (strcmp(export_format_at(i)->name, name) != 0)
        i++;
    return export_format_at(i);
}

START_TEST(a_format_has_the_stacks_of_the_page)
{
    char *found;
    size_t size;
    FILE *out = memory_have(open_memstream(&found, &size));

    find_format(cases[_i].format)->write_stacks(&stacks, cases[_i].weight, out);
    fclose(out);
    page_compare("export.case", cases[_i].format, found);
    free(found);
}
END_TEST

int check_export(void)
{
    Suite *suite = suite_create("export");
    TCase *formats = tcase_create("formats");

    tcase_add_checked_fixture(formats, setup, teardown);
    tcase_add_loop_test(formats, a_format_has_the_stacks_of_the_page, 0,
                        sizeof cases / sizeof *cases);
    suite_add_tcase(suite, formats);
    return suite_run_in_pool(suite);
}
