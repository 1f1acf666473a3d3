/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The actions of keys in tprof view.
 */
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/texts.h"

/* ---- pages ----------------------------------------------------------------------------- */

static struct array *stack_of(const struct view *view)
{
    return array_at(&view->stacks, view->table);
}

static struct view_page *page_of(const struct view *view)
{
    const struct array *stack = stack_of(view);

    return *(struct view_page **)array_at(stack, stack->count - 1);
}

static void free_page(struct view_page *page)
{
    view_page_fini(page);
    free(page);
}

/* Returns: a page without a document, on top of the stack. */
static struct view_page *push(struct view *view)
{
    struct view_page *page = memory_get(sizeof *page);
    struct view_page **place = array_add(stack_of(view));

    view_page_init(page);
    *place = page;
    return page;
}

static void lay(struct view *view)
{
    if (view->width == 0 || stack_of(view)->count == 0)
        return;
    view_page_lay(page_of(view), view->width, view->unicode);
    view_page_scroll(page_of(view), view->height > 2 ? view->height - 2 : 1);
}

/* A table is made when it is first shown, and keeps its state. */
static void show_table(struct view *view, size_t table)
{
    struct view_page *page;

    view->table = table;
    if (stack_of(view)->count > 0)
        return;
    page = push(view);
    text_append(&page->name, view->source.name(view->source.of, table));
    view->source.show(view->source.of, table, &page->document);
}

static void open_row(struct view *view)
{
    const struct view_page *page = page_of(view);
    const struct view_line *line =
        page->lines.count > 0 ? view_page_line(page, page->cursor) : NULL;
    struct view_page *opened;

    if (!line || !line->table) {
        say(&view->message, view_no_row_text);
        return;
    }
    opened = push(view);
    view->source.open(view->source.of, line->table, line->row, &opened->name, &opened->document);
}

static void go_back(struct view *view)
{
    struct array *stack = stack_of(view);

    if (stack->count <= 1) {
        say(&view->message, view_outermost_text);
        return;
    }
    free_page(page_of(view));
    array_truncate(stack, stack->count - 1);
}

/* ---- help ------------------------------------------------------------------------------ */

static const struct column key_columns[] = {
#define KEY(name, bytes, keys, help) {#name, keys, help, UNIT_TEXT, 0},
#include "view/keys.def"
#undef KEY
};

static const char *const key_bytes[] = {
#define KEY(name, bytes, keys, help) bytes,
#include "view/keys.def"
#undef KEY
};

enum view_key view_find_key(char byte)
{
    for (size_t i = 0; byte && i < VIEW_KEY_NONE; i++)
        if (strchr(key_bytes[i], byte))
            return (enum view_key)i;
    return VIEW_KEY_NONE;
}

static void show_help(struct view *view)
{
    struct view_page *page = push(view);
    struct record *record;

    text_append(&page->name, "help");
    record = document_add_record(&page->document, "keys", view_keys_text.words, SECTION_IN_TEXT);
    for (size_t i = 0; i < VIEW_KEY_NONE; i++) {
        struct value *value = record_add_value(record, &key_columns[i]);

        value_set_text(value, key_columns[i].help);
    }
}

/* ---- searching and sorting ------------------------------------------------------------- */

static void search(struct view *view, bool is_backward)
{
    if (view->words.size == 0)
        say(&view->message, view_no_words_text);
    else if (!view_page_search(page_of(view), view->words.bytes, is_backward))
        say(&view->message, view_not_found_text, said_words(view->words.bytes));
}

static void begin_to_ask(struct view *view)
{
    view->is_asking = true;
    text_clear(&view->asked);
}

static void end_asking(struct view *view)
{
    view->is_asking = false;
    if (view->asked.size > 0) {
        text_clear(&view->words);
        text_append(&view->words, view->asked.bytes);
    }
    search(view, false);
}

/* The later bytes of a UTF-8 character are removed with its first byte. */
static void take_back(struct text *asked)
{
    size_t size = asked->size;

    while (size > 0 && ((unsigned char)asked->bytes[size - 1] & 0xc0) == 0x80)
        size--;
    text_truncate(asked, size > 0 ? size - 1 : 0);
}

static bool is_text(char byte)
{
    return (unsigned char)byte >= ' ' && byte != '\177';
}

static void answer(struct view *view, enum view_key key, char byte)
{
    if (is_text(byte))
        text_append_bytes(&view->asked, &byte, 1);
    else if (key == VIEW_KEY_OPEN)
        end_asking(view);
    else if (byte == '\b' || byte == '\177')
        take_back(&view->asked);
    else
        view->is_asking = false;
}

static void sort(struct view *view, bool turns)
{
    struct view_page *page = page_of(view);
    const char *name;

    view_page_sort(page, turns, &name);
    if (!name)
        say(&view->message, view_unsorted_text);
    else if (page->is_ascending)
        say(&view->message, view_sorted_up_text, said_words(name));
    else
        say(&view->message, view_sorted_down_text, said_words(name));
}

/* ---- keys ------------------------------------------------------------------------------ */

static void choose_table(struct view *view, char byte)
{
    size_t table = (size_t)(byte - '1');

    if (table < view->source.count)
        show_table(view, table);
    else
        say(&view->message, view_no_table_text);
}

static void act(struct view *view, enum view_key key, char byte)
{
    struct view_page *page = page_of(view);
    size_t count = view->source.count;
    long screen = view->height > 3 ? (long)view->height - 3 : 1;

    switch (key) {
    case VIEW_KEY_UP: view_page_move(page, -1); break;
    case VIEW_KEY_DOWN: view_page_move(page, 1); break;
    case VIEW_KEY_PAGE_UP: view_page_move(page, -screen); break;
    case VIEW_KEY_PAGE_DOWN: view_page_move(page, screen); break;
    case VIEW_KEY_HOME: view_page_move(page, -(long)page->lines.count); break;
    case VIEW_KEY_END: view_page_move(page, (long)page->lines.count); break;
    case VIEW_KEY_OPEN: open_row(view); break;
    case VIEW_KEY_BACK: go_back(view); break;
    case VIEW_KEY_NEXT_TABLE: show_table(view, (view->table + 1) % count); break;
    case VIEW_KEY_LAST_TABLE:
        show_table(view, (view->table + count - 1) % count);
        break;
    case VIEW_KEY_TABLE: choose_table(view, byte); break;
    case VIEW_KEY_SEARCH: begin_to_ask(view); break;
    case VIEW_KEY_NEXT: search(view, false); break;
    case VIEW_KEY_PREVIOUS: search(view, true); break;
    case VIEW_KEY_SORT: sort(view, false); break;
    case VIEW_KEY_TURN: sort(view, true); break;
    case VIEW_KEY_HELP: show_help(view); break;
    case VIEW_KEY_QUIT: view->is_over = true; break;
    case VIEW_KEY_NONE: break;
    }
}

void view_press(struct view *view, enum view_key key, char byte)
{
    text_clear(&view->message);
    if (view->is_asking)
        answer(view, key, byte);
    else
        act(view, key, byte);
    lay(view);
}

void view_resize(struct view *view, size_t width, size_t height)
{
    view->width = width;
    view->height = height;
    lay(view);
}

/* ---- from start to end ----------------------------------------------------------------- */

static void add_stacks(struct view *view)
{
    for (size_t i = 0; i < view->source.count; i++) {
        struct array *stack = array_add(&view->stacks);

        array_init(stack, sizeof(struct view_page *));
    }
}

void view_start(struct view *view, const struct view_source *source, size_t table,
                bool unicode)
{
    *view = (struct view){.source = *source, .unicode = unicode};
    array_init(&view->stacks, sizeof(struct array));
    text_init(&view->words);
    text_init(&view->asked);
    text_init(&view->message);
    add_stacks(view);
    show_table(view, table);
}

void view_end(struct view *view)
{
    for (size_t i = 0; i < view->stacks.count; i++) {
        struct array *stack = array_at(&view->stacks, i);

        for (size_t j = 0; j < stack->count; j++)
            free_page(*(struct view_page **)array_at(stack, j));
        array_fini(stack);
    }
    array_fini(&view->stacks);
    text_fini(&view->words);
    text_fini(&view->asked);
    text_fini(&view->message);
}
