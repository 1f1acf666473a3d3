/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The screens and keys of tprof view, without a terminal: the screen as text, with a mark before
 * the cursor's line.
 */
#include "view/view.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "suite.h"

enum { NAME, CALLS, COLUMNS };

static const struct column columns[COLUMNS] = {
    {"name", "kernel", "the kernel", UNIT_TEXT, 0},
    {"calls", "calls", "its calls", UNIT_COUNT, 1},
};

static const struct table_schema schema = {"timing", "Timing", columns, COLUMNS, NULL};

static const struct column tree_columns[] = {
    {"name", "name", "the function", UNIT_TEXT, 0},
    {"depth", NULL, "how deep", UNIT_COUNT, 0},
};

static const struct table_schema tree = {"time", "Tree", tree_columns, 2, NULL};

static void add_row(struct table *table, const char *name, int64_t calls)
{
    struct value *row = table_add_row(table);

    ck_assert_ptr_nonnull(row);
    value_set_text(&row[NAME], name);
    value_set_integer(&row[CALLS], calls);
}

static const char *name_of(void *of, size_t index)
{
    static const char *const names[] = {"kernels", "tree", "nothing"};

    (void)of;
    return names[index];
}

/* Twelve rows: more than the screen has lines. */
static void show(void *of, size_t index, struct document *document)
{
    static const char *const names[] = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta",
                                        "eta",   "theta", "iota", "kappa", "lambda",  "mu"};
    struct table *table;

    (void)of;
    if (index == 2)
        return;
    table = document_start_table(document, "rows", SECTION_IN_TEXT, index == 0 ? &schema : &tree);
    ck_assert_ptr_nonnull(table);
    for (int64_t i = 0; i < 12; i++)
        add_row(table, names[i], 100 - i);
}

static void open_row(void *of, const struct table *table, size_t row, struct text *name,
                     struct document *document)
{
    struct table *below = document_start_table(document, "rows", SECTION_IN_TEXT, &schema);

    (void)of;
    ck_assert_ptr_nonnull(below);
    text_append(name, table_row(table, row)[NAME].text);
    add_row(below, "caller of it", 7);
}

static const struct view_source source = {NULL, 3, name_of, show, open_row};

static void put(void *of, size_t y, const char *line, enum view_style style)
{
    (void)y;
    text_appendf(of, "%s%s\n", style == VIEW_CURSOR ? "> " : "", line);
}

static struct view view;
static struct text drawn;

static const char *screen(void)
{
    text_clear(&drawn);
    view_draw(&view, put, &drawn);
    return drawn.bytes;
}

static void start(void)
{
    text_init(&drawn);
    view_start(&view, &source, 0, false);
    view_resize(&view, 40, 8);
}

static void end(void)
{
    view_end(&view);
    text_fini(&drawn);
}

/* Presses the typed keys. */
static void type(const char *bytes)
{
    for (; *bytes; bytes++)
        view_press(&view, view_find_key(*bytes), *bytes);
}

static void press(enum view_key key)
{
    view_press(&view, key, 0);
}

static void shows(const char *words)
{
    ck_assert_msg(strstr(screen(), words) != NULL, "not shown: %s\n%s", words, drawn.bytes);
}

static void hides(const char *words)
{
    ck_assert_msg(strstr(screen(), words) == NULL, "shown: %s\n%s", words, drawn.bytes);
}

START_TEST(the_screen_has_a_bar_the_page_and_a_line_below)
{
    ck_assert_str_eq(screen(), "[1 kernels] 2 tree 3 nothing\n"
                               "Timing\n"
                               "kernel   calls\n"
                               "> alpha      100\n"
                               "beta        99\n"
                               "gamma       98\n"
                               "delta       97\n"
                               "line 3 of 14\n");
}
END_TEST

START_TEST(the_cursor_stays_in_sight_and_the_titles_above_it)
{
    type("jjjjj");
    ck_assert_str_eq(screen(), "[1 kernels] 2 tree 3 nothing\n"
                               "kernel   calls\n"
                               "beta        99\n"
                               "gamma       98\n"
                               "delta       97\n"
                               "epsilon     96\n"
                               "> zeta        95\n"
                               "line 8 of 14\n");
    type("kkkk");
    shows("kernel   calls\nalpha      100\n> beta");
}
END_TEST

START_TEST(the_cursor_stops_at_the_ends)
{
    press(VIEW_KEY_END);
    shows("> mu");
    press(VIEW_KEY_DOWN);
    shows("> mu");
    press(VIEW_KEY_PAGE_UP);
    shows("line 9 of 14");
    press(VIEW_KEY_HOME);
    press(VIEW_KEY_UP);
    shows("> Timing");
    press(VIEW_KEY_PAGE_DOWN);
    shows("line 6 of 14");
}
END_TEST

START_TEST(enter_opens_a_row_and_backspace_goes_back_to_it)
{
    type("jj\r");
    shows("kernels > gamma\n");
    shows("> caller of it");
    type("\177");
    shows("> gamma");
    type("\177");
    shows("This is the whole table.");
}
END_TEST

START_TEST(a_line_without_a_row_opens_nothing)
{
    press(VIEW_KEY_HOME);
    press(VIEW_KEY_OPEN);
    shows("This line is no row");
    shows("[1 kernels]");
}
END_TEST

START_TEST(a_search_goes_to_the_next_line_and_around)
{
    type("/ETA");
    shows("/ETA\n");
    type("\r");
    shows("> beta");
    type("n");
    shows("> zeta");
    type("n");
    shows("> eta");
    type("N");
    shows("> zeta");
    type("nnn");
    shows("> beta");
}
END_TEST

START_TEST(a_search_that_finds_nothing_says_so)
{
    type("/omega\r");
    shows("No line has omega.");
    shows("> alpha");
    type("n");
    shows("No line has omega.");
}
END_TEST

START_TEST(words_to_search_for_can_be_mended_and_given_up)
{
    type("/gamx\177\177\r");
    shows("> gamma");
    type("/\303\244\177mu");
    shows("/mu\n");
    type("\033");
    shows("> gamma");
    type("n");
    shows("> gamma");
}
END_TEST

START_TEST(without_words_a_search_asks_for_some)
{
    type("n");
    shows("/ asks for the words");
}
END_TEST

START_TEST(tables_stay_as_they_were_left)
{
    type("j\r\t");
    shows("1 kernels [2 tree] 3 nothing");
    press(VIEW_KEY_LAST_TABLE);
    shows("kernels > beta");
    type("3");
    shows("(nothing to show)");
    type("\r9");
    shows("There is no table of this number.");
}
END_TEST

START_TEST(rows_are_sorted_by_each_column_in_turn)
{
    type("s");
    shows("Sorted by kernel, smallest first.");
    shows("> alpha");
    type("r");
    shows("Sorted by kernel, largest first.");
    shows("> zeta");
    type("s");
    shows("Sorted by calls, largest first.");
    shows("> alpha");
    type("r");
    shows("> mu");
}
END_TEST

START_TEST(a_tree_keeps_its_order)
{
    type("2s");
    shows("These rows keep their order.");
    shows("> alpha");
}
END_TEST

START_TEST(another_size_keeps_the_row)
{
    type("jjjjjj");
    view_resize(&view, 20, 4);
    shows("[1 kernels] 2 3\n");
    shows("> eta");
    view_resize(&view, 1, 1);
    screen();
    view_resize(&view, 3, 2);
    screen();
    view_resize(&view, 200, 50);
    shows("> eta");
    shows("Enter: open");
}
END_TEST

START_TEST(help_names_every_key)
{
    view_resize(&view, 100, 40);
    type("?");
#define KEY(name, bytes, keys, help) shows(keys);
#include "view/keys.def"
#undef KEY
    type("\033");
    hides("Page Up");
    ck_assert(!view.is_over);
    type("q");
    ck_assert(view.is_over);
}
END_TEST

START_TEST(no_byte_is_that_of_two_keys)
{
    static const char bytes[] =
#define KEY(name, bytes, keys, help) bytes
#include "view/keys.def"
#undef KEY
        ;

    for (size_t i = 0; bytes[i]; i++)
        ck_assert_ptr_eq(strchr(bytes, bytes[i]), &bytes[i]);
}
END_TEST

int check_view(void)
{
    Suite *suite = suite_create("view");
    TCase *tests = tcase_create("view");

    tcase_add_checked_fixture(tests, start, end);
    tcase_add_test(tests, the_screen_has_a_bar_the_page_and_a_line_below);
    tcase_add_test(tests, the_cursor_stays_in_sight_and_the_titles_above_it);
    tcase_add_test(tests, the_cursor_stops_at_the_ends);
    tcase_add_test(tests, enter_opens_a_row_and_backspace_goes_back_to_it);
    tcase_add_test(tests, a_line_without_a_row_opens_nothing);
    tcase_add_test(tests, a_search_goes_to_the_next_line_and_around);
    tcase_add_test(tests, a_search_that_finds_nothing_says_so);
    tcase_add_test(tests, words_to_search_for_can_be_mended_and_given_up);
    tcase_add_test(tests, without_words_a_search_asks_for_some);
    tcase_add_test(tests, tables_stay_as_they_were_left);
    tcase_add_test(tests, rows_are_sorted_by_each_column_in_turn);
    tcase_add_test(tests, a_tree_keeps_its_order);
    tcase_add_test(tests, another_size_keeps_the_row);
    tcase_add_test(tests, help_names_every_key);
    tcase_add_test(tests, no_byte_is_that_of_two_keys);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
