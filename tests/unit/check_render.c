/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the renderers and their foundations.  Most cases render one small table or document and
 * show the whole output.
 */
#include "render/render.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/display.h"
#include "render/terminal.h"
#include "suite.h"

static const struct column columns[] = {
    {.key = "name", .title = "kernel", .unit = UNIT_TEXT},
    {.key = "calls", .title = "calls", .unit = UNIT_COUNT, .priority = 1},
    {.key = "total_ns", .title = "total", .unit = UNIT_NS},
    {.key = "mean_ci95_ns", .title = "mean", .unit = UNIT_NS, .priority = 3},
    {.key = "share", .title = "share", .unit = UNIT_FRACTION, .priority = 1},
    {.key = "shape", .title = "shape", .unit = UNIT_TEXT, .priority = 2},
};

enum { NAME, CALLS, TOTAL, MEAN, SHARE, SHAPE, COLUMN_COUNT };

static const struct table_schema schema = {.name = "timing",
                                           .title = "Timing",
                                           .columns = columns,
                                           .column_count = COLUMN_COUNT,
                                           .bar_key = "share"};

/* One unremarkable row, one with unknown values, one malicious row. */
static void fill_table(struct table *table)
{
    table_init(table, &schema);
    struct value *row = table_add_row(table);
    ck_assert_ptr_nonnull(row);
    value_set_text(&row[NAME], "cblas_sgemm");
    value_set_integer(&row[CALLS], 4812);
    value_set_integer(&row[TOTAL], 1234567890);
    value_set_interval(&row[MEAN], 256000.5, 257000);
    value_set_real(&row[SHARE], 0.75);
    value_set_text(&row[SHAPE], "m=64 n=64 k=64");

    row = table_add_row(table);
    ck_assert_ptr_nonnull(row);
    value_set_text(&row[NAME], "unknown");

    row = table_add_row(table);
    ck_assert_ptr_nonnull(row);
    value_set_text(&row[NAME], "a|\"b\",\x1b[31m\xff");
    value_set_integer(&row[CALLS], 0);
    value_set_real(&row[TOTAL], 0.5);
    value_set_interval(&row[MEAN], 1, NAN);
    value_set_real(&row[SHARE], 0.0001);
    value_set_text(&row[SHAPE], "");
    table_add_note(table, "share: of 1.646 s wall time");
}

static const struct renderer *find_renderer(const char *name)
{
    const struct renderer *renderer = NULL;
    struct diagnostic diagnostic;

    ck_assert_int_eq(render_find(name, &renderer, &diagnostic), STATUS_OK);
    return renderer;
}

/* Renders a table, or a document where there is one.
 * Returns: the output, which the caller frees. */
static char *render(const char *format, const struct table *table, const struct document *document,
                    const struct render_options *options)
{
    const struct renderer *renderer = find_renderer(format);
    struct diagnostic diagnostic;
    char *output = NULL;
    size_t size;
    FILE *out = open_memstream(&output, &size);

    ck_assert_ptr_nonnull(out);
    enum status status = document ? renderer->document(document, options, out, &diagnostic)
                                  : renderer->table(table, options, out, &diagnostic);
    ck_assert_int_eq(status, STATUS_OK);
    fclose(out);
    return output;
}

/* clang-format off: the expected outputs keep their layout. */
static const struct render_case {
    const char *format;
    struct render_options options;
    const char *expected;
} table_cases[] = {
    {"text",
     {.width = 200},
     "Timing\n"
     "kernel              calls    total              mean   share              shape\n"
     "cblas_sgemm         4,812  1.235 s  256 us .. 257 us  75.0 %  ########    m=64 n=64 k=64\n"
     "unknown                 -        -                 -       -              -\n"
     "a|\"b\",\\x1b[31m\\xff      0  0.50 ns         1 ns .. -  <0.1 %\n"
     "share: of 1.646 s wall time\n"},

    /* No room for the bar; colour only for headings. */
    {"text",
     {.width = 80, .colour = true},
     "\033[1mTiming\033[0m\n"
     "\033[2mkernel              calls    total              mean   share  shape         \033[0m\n"
     "cblas_sgemm         4,812  1.235 s  256 us .. 257 us  75.0 %  m=64 n=64 k=64\n"
     "unknown                 -        -                 -       -  -\n"
     "a|\"b\",\\x1b[31m\\xff      0  0.50 ns         1 ns .. -  <0.1 %\n"
     "share: of 1.646 s wall time\n"},

    /* Columns of priority 3, then 2, then the right one of two with 1. */
    {"text",
     {.width = 40},
     "Timing\n"
     "kernel              calls    total\n"
     "cblas_sgemm         4,812  1.235 s\n"
     "unknown                 -        -\n"
     "a|\"b\",\\x1b[31m\\xff      0  0.50 ns\n"
     "mean, share, shape (left out: the page\n"
     "  is too narrow)\n"
     "share: of 1.646 s wall time\n"},

    /* A column that must stay is shortened only at last. */
    {"text",
     {.width = 20, .unicode = true},
     "Timing\n"
     "kernel         total\n"
     "cblas_sgemm  1.235 s\n"
     "unknown            -\n"
     "a|\"b\",\\x1b…  0.50 ns\n"
     "calls, mean, share,\n"
     "  shape (left out:\n"
     "  the page is too\n"
     "  narrow)\n"
     "share: of 1.646 s\n"
     "  wall time\n"},

    {"text",
     {.full_precision = true, .unicode = true},
     "Timing\n"
     "kernel              calls          total                      mean   share              "
     "shape\n"
     "cblas_sgemm          4812  1234567890 ns  256000.5 ns .. 257000 ns    0.75  ███████▌    m=64 "
     "n=64 k=64\n"
     "unknown                 -              -                         -       -              -\n"
     "a|\"b\",\\x1b[31m\\xff      0         0.5 ns                 1 ns .. -  0.0001\n"
     "share: of 1.646 s wall time\n"},

    {"jsonl",
     {.width = 0},
     "{\"table\":\"timing\",\"name\":\"cblas_sgemm\",\"calls\":4812,\"total_ns\":1234567890,"
     "\"mean_ci95_ns\":[256000.5,257000.0],\"share\":0.75,\"shape\":\"m=64 n=64 k=64\"}\n"
     "{\"table\":\"timing\",\"name\":\"unknown\",\"calls\":null,\"total_ns\":null,"
     "\"mean_ci95_ns\":null,\"share\":null,\"shape\":null}\n"
     "{\"table\":\"timing\",\"name\":\"a|\\\"b\\\",\\u001B[31m\\\\xff\",\"calls\":0,"
     "\"total_ns\":0.5,\"mean_ci95_ns\":[1.0,null],\"share\":0.0001,\"shape\":\"\"}\n"},

    {"csv",
     {.width = 0},
     "name,calls,total_ns,mean_ci95_ns,share,shape\r\n"
     "cblas_sgemm,4812,1234567890,256000.5..257000,0.75,m=64 n=64 k=64\r\n"
     "unknown,,,,,\r\n"
     "\"a|\"\"b\"\",\x1b[31m\xff\",0,0.5,1..,0.0001,\"\"\r\n"},

    {"markdown",
     {.width = 0},
     "### Timing\n"
     "\n"
     "| kernel | calls | total | mean | share | shape |\n"
     "| --- | ---: | ---: | ---: | ---: | --- |\n"
     "| cblas_sgemm | 4,812 | 1.235 s | 256 us .. 257 us | 75.0 % | m=64 n=64 k=64 |\n"
     "| unknown | - | - | - | - | - |\n"
     "| a\\|\"b\",\\\\x1b\\[31m\\\\xff | 0 | 0.50 ns | 1 ns .. - | \\<0.1 % |  |\n"
     "\n"
     "share: of 1.646 s wall time\n"},

    {"json",
     {.width = 0},
     "{\n"
     "  \"schema_version\": 1,\n"
     "  \"table\": \"timing\",\n"
     "  \"rows\": [\n"
     "    {\n"
     "      \"name\": \"cblas_sgemm\",\n"
     "      \"calls\": 4812,\n"
     "      \"total_ns\": 1234567890,\n"
     "      \"mean_ci95_ns\": [\n"
     "        256000.5,\n"
     "        257000.0\n"
     "      ],\n"
     "      \"share\": 0.75,\n"
     "      \"shape\": \"m=64 n=64 k=64\"\n"
     "    },\n"
     "    {\n"
     "      \"name\": \"unknown\",\n"
     "      \"calls\": null,\n"
     "      \"total_ns\": null,\n"
     "      \"mean_ci95_ns\": null,\n"
     "      \"share\": null,\n"
     "      \"shape\": null\n"
     "    },\n"
     "    {\n"
     "      \"name\": \"a|\\\"b\\\",\\u001B[31m\\\\xff\",\n"
     "      \"calls\": 0,\n"
     "      \"total_ns\": 0.5,\n"
     "      \"mean_ci95_ns\": [\n"
     "        1.0,\n"
     "        null\n"
     "      ],\n"
     "      \"share\": 0.0001,\n"
     "      \"shape\": \"\"\n"
     "    }\n"
     "  ],\n"
     "  \"notes\": [\n"
     "    \"share: of 1.646 s wall time\"\n"
     "  ]\n"
     "}\n"},
};
/* clang-format on */

START_TEST(render_gives_the_expected_table)
{
    struct table table;

    fill_table(&table);
    char *output = render(table_cases[_i].format, &table, NULL, &table_cases[_i].options);
    ck_assert_str_eq(output, table_cases[_i].expected);
    free(output);
    table_fini(&table);
}
END_TEST

static const struct column command = {.key = "command", .title = "command"};
static const struct column pid = {.key = "pid", .unit = UNIT_COUNT};
static const struct column ending = {.key = "exit", .title = "exit"};
static const struct column code = {.key = "code", .title = "code", .unit = UNIT_COUNT};
static const struct column complete = {.key = "complete", .title = "complete", .unit = UNIT_BOOL};
static const struct column peak = {
    .key = "peak_heap_bytes", .title = "peak of heap", .unit = UNIT_BYTES};

static void fill_process(struct record *process)
{
    struct text_list *words = record_add_list(process, &command);

    text_list_add(words, "./a_model");
    text_list_add(words, "--n=3");
    value_set_integer(record_add_value(process, &pid), 1234);
    struct record *exit_record = record_add_record(process, &ending);
    value_set_integer(record_add_value(exit_record, &code), 0);
    value_set_bool(record_add_value(process, &complete), true);
}

static const struct column finding_columns[] = {{.key = "id", .unit = UNIT_TEXT}};
static const struct table_schema findings = {
    .name = "bottlenecks", .columns = finding_columns, .column_count = 1};

static const struct column region_columns[] = {
    {.key = "path", .title = "region", .unit = UNIT_TEXT},
    {.key = "calls", .title = "calls", .unit = UNIT_COUNT}};
static const struct table_schema regions = {
    .name = "regions", .title = "Regions", .columns = region_columns, .column_count = 2};

static const struct {
    const char *format;
    const char *expected;
} estimate_cases[] = {
    {"text", "Regions\n"
             "region  calls\n"
             "model    ~1.5\n"
             "rest        -\n"},
    {"markdown", "### Regions\n"
                 "\n"
                 "| region | calls |\n"
                 "| --- | ---: |\n"
                 "| model | \\~1.5 |\n"
                 "| rest | - |\n"},
    {"jsonl", "{\"table\":\"regions\",\"path\":\"model\",\"calls\":1.5}\n"
              "{\"table\":\"regions\",\"path\":\"rest\",\"calls\":null}\n"},
    {"csv", "path,calls\r\n"
            "model,1.5\r\n"
            "rest,\r\n"},
    {"json", "{\n"
             "  \"schema_version\": 1,\n"
             "  \"table\": \"regions\",\n"
             "  \"rows\": [\n"
             "    {\n"
             "      \"path\": \"model\",\n"
             "      \"calls\": 1.5\n"
             "    },\n"
             "    {\n"
             "      \"path\": \"rest\",\n"
             "      \"calls\": null\n"
             "    }\n"
             "  ],\n"
             "  \"notes\": []\n"
             "}\n"},
};

START_TEST(people_see_which_numbers_are_estimates)
{
    struct render_options options = {0};
    struct table table;
    struct value *row;

    table_init(&table, &regions);
    row = table_add_row(&table);
    value_set_text(&row[0], "model");
    value_set_real(&row[1], 1.5);
    value_mark_estimate(&row[1], true);
    row = table_add_row(&table);
    value_set_text(&row[0], "rest");
    value_mark_estimate(&row[1], true);
    char *output = render(estimate_cases[_i].format, &table, NULL, &options);
    ck_assert_str_eq(output, estimate_cases[_i].expected);
    free(output);
    table_fini(&table);
}
END_TEST

static void fill_document(struct document *document)
{
    document_init(document);
    fill_process(document_add_record(document, "process", "Process", SECTION_IN_BOTH));
    struct record *memory = document_add_record(document, "memory", "Memory", SECTION_IN_BOTH);
    value_set_integer(record_add_value(memory, &peak), 1536);

    struct table *table = document_add_table(document, "regions", SECTION_IN_BOTH);
    table_init(table, &regions);
    struct value *row = table_add_row(table);
    value_set_text(&row[0], "model/_layer_0");
    ck_assert_ptr_nonnull(table_add_row(table));
    table_truncate(table, 1);

    table = document_add_table(document, "findings", SECTION_IN_JSON);
    table_init(table, &findings);
    row = table_add_row(table);
    value_set_text(&row[0], "HOT");
    struct text_list *lines = document_add_lines(document, "Findings");
    text_list_add(lines, "[HIGH] HOT  one kernel takes 75.0 % of all time");
    text_list_add(lines, "  Do: make it faster");
}

/* clang-format off: the expected outputs keep their layout. */
static const struct render_case document_cases[] = {
    {"text",
     {.width = 40},
     "Process\n"
     "  command   ./a_model --n=3\n"
     "  exit\n"
     "    code  0\n"
     "  complete  yes\n"
     "\n"
     "Memory\n"
     "  peak of heap  1.50 KiB\n"
     "\n"
     "Regions\n"
     "region          calls\n"
     "model/_layer_0      -\n"
     "(1 more row)\n"
     "\n"
     "Findings\n"
     "[HIGH] HOT one kernel takes 75.0 % of\n"
     "  all time\n"
     "  Do: make it faster\n"},

    {"markdown",
     {.width = 40},
     "### Process\n"
     "\n"
     "- command: ./a_model --n=3\n"
     "- exit:\n"
     "  - code: 0\n"
     "- complete: yes\n"
     "\n"
     "### Memory\n"
     "\n"
     "- peak of heap: 1.50 KiB\n"
     "\n"
     "### Regions\n"
     "\n"
     "| region | calls |\n"
     "| --- | ---: |\n"
     "| model/\\_layer_0 | - |\n"
     "\n"
     "(1 more row)\n"
     "\n"
     "### Findings\n"
     "\n"
     "\\[HIGH\\] HOT  one kernel takes 75.0 % of all time\n"
     "\n"
     "  Do: make it faster\n"},

    {"json",
     {.width = 40},
     "{\n"
     "  \"schema_version\": 1,\n"
     "  \"process\": {\n"
     "    \"command\": [\n"
     "      \"./a_model\",\n"
     "      \"--n=3\"\n"
     "    ],\n"
     "    \"pid\": 1234,\n"
     "    \"exit\": {\n"
     "      \"code\": 0\n"
     "    },\n"
     "    \"complete\": true\n"
     "  },\n"
     "  \"memory\": {\n"
     "    \"peak_heap_bytes\": 1536\n"
     "  },\n"
     "  \"regions\": [\n"
     "    {\n"
     "      \"path\": \"model/_layer_0\",\n"
     "      \"calls\": null\n"
     "    }\n"
     "  ],\n"
     "  \"regions_rows_cut\": 1,\n"
     "  \"findings\": [\n"
     "    {\n"
     "      \"id\": \"HOT\"\n"
     "    }\n"
     "  ]\n"
     "}\n"},
};
/* clang-format on */

START_TEST(render_gives_the_expected_document)
{
    struct document document;

    fill_document(&document);
    char *output = render(document_cases[_i].format, NULL, &document, &document_cases[_i].options);
    ck_assert_str_eq(output, document_cases[_i].expected);
    free(output);
    document_fini(&document);
}
END_TEST

START_TEST(csv_sends_a_reader_of_reports_to_single_tables)
{
    struct document document;
    struct render_options options = {0};
    struct diagnostic diagnostic;

    fill_document(&document);
    ck_assert_int_eq(find_renderer("csv")->document(&document, &options, stdout, &diagnostic),
                     STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(diagnostic.text, "\"tprof regions --format=csv\""));
    document_fini(&document);
}
END_TEST

/* Like the sites of a heap with missing records. */
START_TEST(csv_does_not_hold_what_is_not_known)
{
    struct document document;
    struct render_options options = {0};
    struct diagnostic diagnostic;

    fill_document(&document);
    document.main = "rows";
    ck_assert_int_eq(find_renderer("csv")->document(&document, &options, stdout, &diagnostic),
                     STATUS_NOT_ENOUGH_DATA);
    ck_assert_ptr_nonnull(strstr(diagnostic.text, "is not known"));
    document_fini(&document);
}
END_TEST

START_TEST(render_find_lists_the_formats_it_knows)
{
    const struct renderer *renderer = NULL;
    struct diagnostic diagnostic;

    ck_assert_int_eq(render_find("xml", &renderer, &diagnostic), STATUS_USAGE);
    ck_assert_str_eq(diagnostic.text,
                     "expected a format, one of text, json, "
                     "jsonl, csv, markdown, junit, github, gitlab, codequality; found \"xml\"");
    ck_assert_ptr_null(renderer);
    ck_assert_ptr_null(render_at(9));
}
END_TEST

/* If the first column and the words of notes fit, no line is wider than the page. */
START_TEST(text_fits_any_width)
{
    struct table table;
    struct render_options options = {.width = (size_t)_i};

    fill_table(&table);
    char *output = render("text", &table, NULL, &options);
    for (char *line = strtok(output, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_uint_le(display_width(line), options.width);
    free(output);
    table_fini(&table);
}
END_TEST

START_TEST(text_names_no_column_without_a_title)
{
    static const struct column untitled[] = {
        {.key = "place", .title = "", .unit = UNIT_PLACE},
        {.key = "source", .title = "", .unit = UNIT_TEXT, .priority = 1}};
    static const struct table_schema of_lines = {
        .name = "lines", .columns = untitled, .column_count = 2};
    struct table table;

    table_init(&table, &of_lines);
    struct value *row = table_add_row(&table);
    ck_assert_ptr_nonnull(row);
    value_set_text(&row[0], "a_place_of_thirty_two_characters");
    value_set_text(&row[1], "a source");
    char *output = render("text", &table, NULL, &(struct render_options){.width = 36});
    ck_assert_ptr_nonnull(strstr(output, "a_place_of_thirty_two_characters"));
    ck_assert_ptr_null(strstr(output, "left out"));
    free(output);
    table_fini(&table);
}
END_TEST

/* Ten lines of rank 0 to 9, of one table and one list. */
static void fill_ranks(struct document *document)
{
    static const struct table_schema of_ranks = {
        .name = "ranks", .title = "Ranks", .columns = columns, .column_count = 1};
    struct table *table;
    struct text_list *lines;

    document_init(document);
    table = document_start_table(document, "ranks", SECTION_IN_TEXT, &of_ranks);
    for (unsigned char rank = 5; rank <= 9; rank++) {
        struct value *row = table_add_row(table);
        char name[] = {'r', (char)('0' + rank), '\0'};

        value_set_text(&row[0], name);
        table_rank_row(table, rank);
    }
    lines = document_add_lines(document, "Lines");
    for (unsigned char rank = 0; rank < 5; rank++) {
        text_list_addf(lines, "r%u", rank);
        text_list_rank(lines, rank, rank);
    }
}

/* Titles, a blank line and ten ranks are 14 lines.  The line that counts the others is one more. */
static const struct {
    size_t most;
    const char *expected;
} rank_cases[] = {
    {14, "Ranks\nkernel\nr5\nr6\nr7\nr8\nr9\n\nLines\nr0\nr1\nr2\nr3\nr4\n"},
    {13, "Ranks\nkernel\nr5\nr6\nr7\n\nLines\nr0\nr1\nr2\nr3\nr4\n(2 more lines: tprof x)\n"},
    {7, "Ranks\nkernel\nLines\nr0\nr1\nr2\n(8 more lines: tprof x)\n"},
    {2, "Ranks\nkernel\nLines\nr0\n(10 more lines: tprof x)\n"},
};

START_TEST(text_leaves_out_the_highest_ranks)
{
    struct document document;

    fill_ranks(&document);
    document.most_lines = rank_cases[_i].most;
    document.whole = "tprof x";
    char *output = render("text", NULL, &document, &(struct render_options){.width = 60});
    ck_assert_str_eq(output, rank_cases[_i].expected);
    free(output);
    document_fini(&document);
}
END_TEST

START_TEST(text_tells_no_rows_from_rows_cut)
{
    struct table table;
    struct render_options options = {.width = 20};

    table_init(&table, &schema);
    char *output = render("text", &table, NULL, &options);
    ck_assert_str_eq(output, "Timing\n(no rows)\n");
    free(output);
    ck_assert_ptr_nonnull(table_add_row(&table));
    table_truncate(&table, 0);
    output = render("text", &table, NULL, &options);
    ck_assert_ptr_nonnull(strstr(output, "(1 more row)"));
    ck_assert_ptr_null(strstr(output, "(no rows)"));
    free(output);
    table_fini(&table);
}
END_TEST

/* Every byte, in the title, a cell, a note: none may act on a terminal. */
START_TEST(render_lets_no_byte_act_on_the_terminal)
{
    static const char *const formats[] = {"text", "markdown", "json"};
    const char evil[] = {'x', (char)_i, (char)0xc2, (char)_i, 'y', '\0'};
    struct column column = {.key = "key", .title = evil, .unit = UNIT_TEXT};
    struct table_schema evil_schema = {"evil", evil, &column, 1, NULL};
    struct render_options options = {.unicode = true};
    struct table table;

    table_init(&table, &evil_schema);
    struct value *row = table_add_row(&table);
    value_set_text(row, evil);
    table_add_note(&table, "%s", evil);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *output = render(formats[i], &table, NULL, &options);
        for (const char *place = output; *place; place++) {
            ck_assert(*place == '\n' || (unsigned char)*place >= ' ');
            /* U+0080 to U+009F are c2 80 to c2 9f. */
            ck_assert((unsigned char)place[0] != 0xc2 || (unsigned char)place[1] >= 0xa0);
        }
        free(output);
    }
    table_fini(&table);
}
END_TEST

/* Checks are what every format can show. */
static void fill_checks(struct table *table)
{
    static const struct column check_columns[] = {
        {"check", "check", "what was checked", UNIT_TEXT, 0},
        {"outcome", "outcome", "passed, failed or skipped", UNIT_TEXT, 0},
        {"message", "message", "in words", UNIT_TEXT, 0}};
    static const struct table_schema checks = {"checks", "Checks", check_columns, 3, NULL};
    static const char *const texts[] = {"a < b", "failed", "it is not"};

    table_init(table, &checks);
    for (size_t i = 0; i < 3; i++) {
        struct value *row = i == 0 ? table_add_row(table) : table_row(table, 0);

        ck_assert_ptr_nonnull(row);
        value_set_text(&row[i], texts[i]);
    }
}

START_TEST(junit_shows_checks_and_refuses_anything_else)
{
    struct render_options options = {0};
    struct diagnostic diagnostic;
    const struct renderer *junit;
    struct table table;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    ck_assert_int_eq(render_find("junit", &junit, &diagnostic), STATUS_OK);
    fill_checks(&table);
    ck_assert_int_eq(junit->table(&table, &options, out, &diagnostic), STATUS_OK);
    table_fini(&table);
    fill_table(&table);
    ck_assert_int_eq(junit->table(&table, &options, out, &diagnostic), STATUS_USAGE);
    table_fini(&table);
    fclose(out);
    ck_assert_ptr_nonnull(
        strstr(bytes, "name=\"a &lt; b\">\n      <failure message=\"it is not\"/>"));
    free(bytes);
}
END_TEST

START_TEST(render_reports_a_full_disk)
{
    struct render_options options = {0};
    struct diagnostic diagnostic;
    struct table table;
    FILE *out = fopen("/dev/full", "w");

    ck_assert_ptr_nonnull(out);
    fill_checks(&table);
    if (_i) /* the write fails before the end, too */
        setvbuf(out, NULL, _IONBF, 0);
    for (size_t i = 0; render_at(i); i++) {
        clearerr(out);
        if (render_at(i) == &renderer_github)
            continue; /* has nothing to tell of these checks */
        ck_assert_int_eq(render_at(i)->table(&table, &options, out, &diagnostic), STATUS_IO);
        ck_assert_ptr_nonnull(strstr(diagnostic.text, "cannot write"));
    }
    fclose(out);
    table_fini(&table);
}
END_TEST

static const struct {
    const char *string;
    bool unicode;
    const char *expected;
} safe_cases[] = {
    {"plain text", false, "plain text"},
    {"caf\xc3\xa9", true, "caf\xc3\xa9"},
    {"caf\xc3\xa9", false, "caf\\u00e9"},
    {"2 \xc2\xb1 1", true, "2 \xc2\xb1 1"},
    {"2 \xc2\xb1 1", false, "2 +/- 1"},
    {"\xf0\x9f\x98\x80", false, "\\U0001f600"},
    {"\x1b[2J\n\t\x7f", true, "\\x1b[2J\\x0a\\x09\\x7f"},
    {"\xc2\x9b"
     "1m",
     true, "\\u009b1m"}, /* CSI in one character */
    {"\xe2\x80\xae"
     "evil",
     true, "\\u202eevil"}, /* right to left */
    {"1\xd8\x9c"
     "2",
     true, "1\\u061c2"},                /* as after an Arabic letter */
    {"\xc3(\xff", true, "\\xc3(\\xff"}, /* not UTF-8 */
};

START_TEST(display_escapes_what_acts)
{
    struct text text;

    text_init(&text);
    display_append_safe(&text, safe_cases[_i].string, safe_cases[_i].unicode);
    ck_assert_str_eq(text.bytes, safe_cases[_i].expected);
    text_fini(&text);
}
END_TEST

static const struct {
    const char *string;
    size_t width;
    bool unicode;
    const char *expected;
} shorten_cases[] = {
    {"kernel", 6, true, "kernel"},     {"kernels", 6, true, "kerne…"},
    {"kernels", 6, false, "ker..."},   {"kernels", 2, false, "  "},
    {"世界世界", 8, true, "世界世界"}, {"世界世界", 7, true, "世界世…"},
    {"世界世界", 6, true, "世界…"},
};

START_TEST(display_shortens_by_columns_not_bytes)
{
    struct text text;

    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        return; /* glibc before 2.35 may lack the locale, and with it wcwidth */
    text_init(&text);
    display_append_shortened(&text, shorten_cases[_i].string, shorten_cases[_i].width,
                             shorten_cases[_i].unicode);
    ck_assert_str_eq(text.bytes, shorten_cases[_i].expected);
    text_fini(&text);
}
END_TEST

static const struct {
    size_t width;
    bool unicode;
    const char *expected;
} abridge_cases[] = {
    {40, true, "std::vector<int>::push_back(int const&)"},
    {20, true, "std::vecto…t const&)"},
    {20, false, "std::vect... const&)"},
    {4, true, "st…)"},
    {2, true, "s…"},
};

START_TEST(display_abridges_in_the_middle)
{
    struct text text;

    text_init(&text);
    display_append_abridged(&text, "std::vector<int>::push_back(int const&)",
                            abridge_cases[_i].width, abridge_cases[_i].unicode);
    ck_assert_uint_le(display_width(text.bytes), abridge_cases[_i].width);
    ck_assert_str_eq(text.bytes, abridge_cases[_i].expected);
    text_fini(&text);
}
END_TEST

START_TEST(display_breaks_no_line_before_a_percent_sign)
{
    struct text text;

    text_init(&text);
    display_append_wrapped(&text, "it is 12.5 % of all, or 7 %",
                           (struct display_margins){0, 2, 10});
    ck_assert_str_eq(text.bytes, "it is\n  12.5 %\n  of all,\n  or 7 %\n");
    text_fini(&text);
}
END_TEST

static const struct {
    const char *place;
    size_t width;
    bool unicode;
    const char *expected;
} place_cases[] = {
    {"parse+0x1f  libfoo.so", 40, true, "parse+0x1f  libfoo.so"},
    {"parse+0x1f  libfoo.so", 21, true, "parse+0x1f  libfoo.so"},
    {"parse+0x1f  libfoo.so", 20, true, "parse+0x1f  lib…o.so"},
    {"parse+0x1f  libfoo.so", 12, true, "par…+0x1f …o"},
    {"parse+0x1f  libfoo.so", 3, true, "+0x1f"},
    {"ns::read_all(char const*)+0x1f  libfoo.so", 32, true, "ns::read_all(ch…+0x1f  libfoo.so"},
    {"ns::read_all(char const*)+0x1f  a_library_of_a_long_name.so.6", 32, true,
     "ns::read_all(…+0x1f  a_li…e.so.6"},
    {"ns::read_all(char const*)+0x1f  a_library_of_a_long_name.so.6", 32, false,
     "ns::read_al...+0x1f  a_l....so.6"},
    {"a_library_of_a_long_name.so.6+0x1234", 20, true, "a_library_of…+0x1234"},
    {"a+0xg  b", 5, true, "a+… b"},
};

START_TEST(display_never_cuts_the_offset_of_a_place)
{
    struct text text;

    text_init(&text);
    display_append_place(&text, place_cases[_i].place, place_cases[_i].width,
                         place_cases[_i].unicode);
    ck_assert_str_eq(text.bytes, place_cases[_i].expected);
    text_fini(&text);
}
END_TEST

/* ---- plots ------------------------------------------------------------------- */

static void add_points(struct array *points, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        plot_add_point(points, (double)i * 1e9, values[i]);
}

/* Eight seconds: a rise, a peak within one column, and nothing. */
static void fill_plot(struct plot *plot)
{
    static const double heap[] = {0, 1024, 2048, 3072, 12288, 3072, 3072, 1};
    static const double rss[] = {6144};
    struct plot_series *series;

    plot->label = "live heap";
    plot->x_end = 8e9;
    add_points(&plot->area, heap, sizeof heap / sizeof *heap);
    series = plot_add_series(plot, "resident", 'x');
    ck_assert_ptr_nonnull(series);
    add_points(&series->points, rss, 1);
}

static const struct {
    bool unicode;
    const char *expected;
} plot_cases[] = {
    {false, "Plot\n"
            "12.0 KiB +        ##      \n"
            "         |        ##      \n"
            "         |        ##      \n"
            "         |        ##      \n"
            "8.00 KiB +        ##      \n"
            "         |x       ##      \n"
            "         |        ##      \n"
            "         |        ##      \n"
            "4.00 KiB +        ##      \n"
            "         |      ########  \n"
            "         |    ##########  \n"
            "         |  ############..\n"
            "       0 ++---------------\n"
            "          0 ns\n"
            "          #  live heap\n"
            "          x  resident\n"},
    {true, "Plot\n"
           "12.0 KiB ┤        ██      \n"
           "         │        ██      \n"
           "         │        ██      \n"
           "         │        ██      \n"
           "8.00 KiB ┤        ██      \n"
           "         │x       ██      \n"
           "         │        ██      \n"
           "         │        ██      \n"
           "4.00 KiB ┤        ██      \n"
           "         │      ████████  \n"
           "         │    ██████████  \n"
           "         │  ████████████▁▁\n"
           "       0 └┬───────────────\n"
           "          0 ns\n"
           "          █  live heap\n"
           "          x  resident\n"},
};

/* Two halves of a run: all of the first, a quarter of the second. */
START_TEST(strips_are_lines_of_blocks)
{
    static const double use[] = {1, 0.25};
    static const char *const expected[] = {
        "Strips\n"
        " main|@@@@@@@@::::::::| 62.5 %\n"
        "      0 ns\n",
        "Strips\n"
        " main│████████▂▂▂▂▂▂▂▂│ 62.5 %\n"
        "      0 ns\n",
    };
    struct render_options options = {.width = 29, .unicode = _i == 1};
    struct plot_series *strip;
    struct document document;
    struct plot *plot;
    char *output;

    document_init(&document);
    plot = document_add_plot(&document, "Strips");
    ck_assert_ptr_nonnull(plot);
    plot->is_strips = true;
    plot->x_end = 2e9;
    strip = plot_add_series(plot, "main", 0);
    ck_assert_ptr_nonnull(strip);
    strip->top = 1;
    strip->note = "62.5 %";
    add_points(&strip->points, use, 2);
    output = render("text", NULL, &document, &options);
    ck_assert_str_eq(output, expected[_i]);
    free(output);
    document_fini(&document);
}
END_TEST

START_TEST(a_plot_shows_every_peak)
{
    struct render_options options = {.width = 27, .unicode = plot_cases[_i].unicode};
    struct document document;
    struct plot *plot;
    char *output;

    document_init(&document);
    plot = document_add_plot(&document, "Plot");
    ck_assert_ptr_nonnull(plot);
    fill_plot(plot);
    output = render("text", NULL, &document, &options);
    ck_assert_str_eq(output, plot_cases[_i].expected);
    free(output);
    document_fini(&document);
}
END_TEST

START_TEST(what_would_flatten_a_plot_is_told_in_words)
{
    static const double rss = 1 << 20;
    struct document document;
    struct plot *plot;
    char *output;

    document_init(&document);
    plot = document_add_plot(&document, NULL);
    ck_assert_ptr_nonnull(plot);
    fill_plot(plot);
    add_points(&plot_add_series(plot, "mapped", '+')->points, &rss, 1);
    output = render("markdown", NULL, &document, &(struct render_options){.width = 80});
    ck_assert_ptr_nonnull(strstr(output, "mapped: up to 1.00 MiB, above this plot\n```\n"));
    free(output);
    output = render("text", NULL, &document, &(struct render_options){.width = 32});
    ck_assert_ptr_nonnull(strstr(output, "\n          #  live heap\n          x  resident\n"
                                         "          mapped: up to 1.00\n"
                                         "          MiB, above this plot\n"));
    free(output);
    document_fini(&document);
}
END_TEST

START_TEST(a_legend_keeps_to_the_page)
{
    for (int is_logarithmic = 0; is_logarithmic < 2; is_logarithmic++) {
        struct document document;
        struct plot *plot;
        char *output;

        document_init(&document);
        plot = document_add_plot(&document, NULL);
        ck_assert_ptr_nonnull(plot);
        fill_plot(plot);
        plot->is_logarithmic = is_logarithmic;
        plot->label = "what is live, the highest of each column";
        struct plot_series *series = array_at(&plot->series, 0);
        series->label = "what is resident in memory";
        plot_add_point(&series->points, 1, 1);
        plot_add_point(&series->points, 10, 10);
        output = render("text", NULL, &document, &(struct render_options){.width = 34});
        for (const char *line = output; *line; line += strcspn(line, "\n") + 1)
            ck_assert_msg(strcspn(line, "\n") <= 34, "too wide: %s", line);
        ck_assert_ptr_nonnull(strstr(output, "x  what is resident"));
        free(output);
        document_fini(&document);
    }
}
END_TEST

/* The last decade is in the last column, or so near that its label has no room after it. */
START_TEST(a_logarithmic_plot_keeps_to_the_page)
{
    for (size_t width = 40; width <= 100; width++) {
        for (double last = 1; last <= 1e6; last *= 10) {
            struct document document;
            struct plot *plot;
            struct plot_series *series;

            document_init(&document);
            plot = document_add_plot(&document, "Plot");
            ck_assert_ptr_nonnull(plot);
            plot->is_logarithmic = true;
            plot->x_unit = UNIT_REAL;
            series = plot_add_series(plot, NULL, 'A');
            ck_assert_ptr_nonnull(series);
            plot_add_point(&series->points, 0.1, 1);
            plot_add_point(&series->points, last, 10);
            char *output =
                render("text", NULL, &document, &(struct render_options){.width = width});
            for (const char *line = output; *line; line += strcspn(line, "\n") + 1)
                ck_assert_msg(strcspn(line, "\n") <= width, "%zu columns of %zu: %s",
                              strcspn(line, "\n"), width, line);
            free(output);
            document_fini(&document);
        }
    }
}
END_TEST

/* ---- nested rows ----------------------------------------------------------------- */

static const struct column call_columns[] = {
    {.key = "function", .title = "function", .unit = UNIT_TEXT},
    {.key = "line", .unit = UNIT_COUNT},
};

static const struct table_schema call_schema = {
    .name = "chain", .columns = call_columns, .column_count = 2};

static const struct column site_columns[] = {
    {.key = "bytes", .title = "bytes", .unit = UNIT_BYTES},
    {.key = "hidden", .unit = UNIT_COUNT},
    {.key = "place", .title = "where", .unit = UNIT_PLACE},
    {.key = "chain", .unit = UNIT_ROWS},
};

static const struct table_schema site_schema = {
    .name = "sites", .title = "Sites", .columns = site_columns, .column_count = 4};

static void fill_sites(struct table *table)
{
    static const char *const calls[] = {"inner", "middle", "outer", "main"};
    struct table *chain;
    struct value *row;

    table_init(table, &site_schema);
    row = table_add_row(table);
    ck_assert_ptr_nonnull(row);
    value_set_integer(&row[0], 100);
    value_set_integer(&row[1], 7);
    value_set_text(&row[2], "inner");
    chain = value_set_table(&row[3], &call_schema);
    ck_assert_ptr_nonnull(chain);
    for (int i = 0; i < 4; i++) {
        struct value *call = table_add_row(chain);

        ck_assert_ptr_nonnull(call);
        value_set_text(&call[0], calls[i]);
        value_set_integer(&call[1], i);
    }
    chain->shown_from = 1;
    chain->shown_count = 2;
}

static const struct {
    const char *format;
    const char *expected;
} nested_cases[] = {
    {"text", "Sites\n"
             "bytes  where\n"
             "100 B  inner\n"
             "      middle\n"
             "      outer\n"},
    {"csv", "bytes,hidden,place,chain\r\n"
            "100,7,inner,inner;middle;outer;main\r\n"},
    {"markdown", "### Sites\n"
                 "\n"
                 "| bytes | where |\n"
                 "| ---: | --- |\n"
                 "| 100 B | inner |\n"},
};

START_TEST(people_see_some_callers_and_programs_all)
{
    struct table table;
    char *output;

    fill_sites(&table);
    output = render(nested_cases[_i].format, &table, NULL, &(struct render_options){.width = 40});
    ck_assert_str_eq(output, nested_cases[_i].expected);
    free(output);
    table_fini(&table);
}
END_TEST

START_TEST(json_has_the_whole_chain)
{
    struct table table;
    char *output;

    fill_sites(&table);
    output = render("json", &table, NULL, &(struct render_options){.width = 0});
    ck_assert_ptr_nonnull(
        strstr(output, "\"chain\": [\n        {\n          \"function\": \"inner\""));
    ck_assert_ptr_nonnull(strstr(output, "\"function\": \"main\",\n          \"line\": 3"));
    free(output);
    table_fini(&table);
}
END_TEST

START_TEST(csv_of_a_document_is_its_main_table)
{
    struct document document;
    struct table *table;
    char *output;

    document_init(&document);
    table = document_add_table(&document, "sites", SECTION_IN_BOTH);
    ck_assert_ptr_nonnull(table);
    fill_sites(table);
    document.main = "sites";
    output = render("csv", NULL, &document, &(struct render_options){.width = 0});
    ck_assert_str_eq(output, nested_cases[1].expected);
    free(output);
    document_fini(&document);
}
END_TEST

static const struct {
    const char *variable, *value; /* only this one is set */
    bool colour;
    bool unicode;
    size_t width;
} terminal_cases[] = {
    {"COLUMNS", "72", false, false, 72},      {"COLUMNS", "-3", false, false, 100},
    {"COLUMNS", "wide", false, false, 100},   {"LANG", "de_DE.UTF-8", false, true, 100},
    {"LC_CTYPE", "C.utf8", false, true, 100}, {"LANG", "de_DE.ISO-8859-1", false, false, 100},
    {"LC_ALL", "C", false, false, 100},       {"TERM", "xterm", false, false, 100},
};

START_TEST(terminal_reads_the_environment_of_a_pipe)
{
    FILE *out = tmpfile();

    ck_assert_ptr_nonnull(out);
    clearenv();
    setenv(terminal_cases[_i].variable, terminal_cases[_i].value, 1);
    struct render_options options = terminal_options(out, TERMINAL_AUTO);
    ck_assert(options.colour == terminal_cases[_i].colour);
    ck_assert(options.unicode == terminal_cases[_i].unicode);
    ck_assert_uint_eq(options.width, terminal_cases[_i].width);
    ck_assert(terminal_has_colour(out, TERMINAL_YES));
    ck_assert(!terminal_has_unicode(TERMINAL_NO));
    fclose(out);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, render_gives_the_expected_table, 0,
                        sizeof table_cases / sizeof *table_cases);
    tcase_add_loop_test(tests, people_see_which_numbers_are_estimates, 0,
                        sizeof estimate_cases / sizeof *estimate_cases);
    tcase_add_loop_test(tests, render_gives_the_expected_document, 0,
                        sizeof document_cases / sizeof *document_cases);
    tcase_add_test(tests, csv_sends_a_reader_of_reports_to_single_tables);
    tcase_add_test(tests, csv_does_not_hold_what_is_not_known);
    tcase_add_test(tests, render_find_lists_the_formats_it_knows);
    tcase_add_loop_test(tests, text_fits_any_width, 11, 201);
    tcase_add_test(tests, text_names_no_column_without_a_title);
    tcase_add_loop_test(tests, text_leaves_out_the_highest_ranks, 0,
                        sizeof rank_cases / sizeof *rank_cases);
    tcase_add_test(tests, text_tells_no_rows_from_rows_cut);
    tcase_add_loop_test(tests, render_lets_no_byte_act_on_the_terminal, 1, 256);
    tcase_add_test(tests, junit_shows_checks_and_refuses_anything_else);
    tcase_add_loop_test(tests, render_reports_a_full_disk, 0, 2);
    tcase_add_loop_test(tests, display_escapes_what_acts, 0,
                        sizeof safe_cases / sizeof *safe_cases);
    tcase_add_loop_test(tests, display_shortens_by_columns_not_bytes, 0,
                        sizeof shorten_cases / sizeof *shorten_cases);
    tcase_add_test(tests, display_breaks_no_line_before_a_percent_sign);
    tcase_add_loop_test(tests, display_never_cuts_the_offset_of_a_place, 0,
                        sizeof place_cases / sizeof *place_cases);
    tcase_add_loop_test(tests, display_abridges_in_the_middle, 0,
                        sizeof abridge_cases / sizeof *abridge_cases);
    tcase_add_test(tests, a_logarithmic_plot_keeps_to_the_page);
    tcase_add_loop_test(tests, a_plot_shows_every_peak, 0, sizeof plot_cases / sizeof *plot_cases);
    tcase_add_loop_test(tests, strips_are_lines_of_blocks, 0, 2);
    tcase_add_test(tests, a_legend_keeps_to_the_page);
    tcase_add_test(tests, what_would_flatten_a_plot_is_told_in_words);
    tcase_add_loop_test(tests, people_see_some_callers_and_programs_all, 0,
                        sizeof nested_cases / sizeof *nested_cases);
    tcase_add_test(tests, json_has_the_whole_chain);
    tcase_add_test(tests, csv_of_a_document_is_its_main_table);
    tcase_add_loop_test(tests, terminal_reads_the_environment_of_a_pipe, 0,
                        sizeof terminal_cases / sizeof *terminal_cases);
}

int check_render(void)
{
    Suite *suite = suite_create("render");
    TCase *tests = tcase_create("render");

    add_tests(tests);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
