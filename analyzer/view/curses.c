/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof view on a terminal, by curses: keys go to the view, and its lines to the screen.
 *
 * The handler of a signal that ends the program finds the terminal's settings and sequences here:
 * it calls only tcsetattr, write and raise.
 *
 * To read: ncurses(3), curs_getch(3), signal-safety(7).
 */
#include "view/terminal.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "render/terminal.h"

enum {
    ESCAPE_WAIT_MS = 25, /* after this, Esc is no start of another key: more than a network's jitter
                            within a packet, less than people notice */
    RESTORE_SIZE = 256
};

/* ---- the terminal's own state ---------------------------------------------------------- */

static struct {
    struct termios modes;
    char bytes[RESTORE_SIZE];
    size_t size;
} before;

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { DEADLY = sizeof deadly / sizeof *deadly };

static void note_sequence(const char *name)
{
    const char *sequence = tigetstr(name);
    size_t size = sequence && sequence != (char *)-1 ? strlen(sequence) : 0;

    if (before.size + size > sizeof before.bytes)
        return;
    memcpy(before.bytes + before.size, sequence, size);
    before.size += size;
}

static void restore_and_end(int number)
{
    if (write(STDOUT_FILENO, before.bytes, before.size) < 0)
        _exit(EXIT_FAILURE);
    tcsetattr(STDIN_FILENO, TCSANOW, &before.modes);
    raise(number); /* the default action: SA_RESETHAND */
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = restore_and_end, .sa_flags = (int)SA_RESETHAND};

    before.size = 0;
    note_sequence("sgr0");
    note_sequence("cnorm");
    note_sequence("rmkx");
    note_sequence("rmcup");
    for (size_t i = 0; i < DEADLY; i++)
        sigaction(deadly[i], &action, NULL);
}

static void unwatch_signals(void)
{
    for (size_t i = 0; i < DEADLY; i++)
        signal(deadly[i], SIG_DFL);
}

/* ---- asking ---------------------------------------------------------------------------- */

/* Returns: the screen; NULL if the terminal is unknown or too simple. */
static SCREEN *open_screen(void)
{
    SCREEN *screen = newterm(NULL, stdout, stdin);

    if (screen && tigetstr("cup") && tigetstr("cup") != (char *)-1)
        return screen;
    if (screen) {
        endwin();
        delscreen(screen);
    }
    return NULL;
}

static enum status refuse_terminal(struct diagnostic *diagnostic)
{
    const char *name = getenv("TERM");

    return diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                          "view: the terminal '%.40s' (TERM) cannot show lines anywhere; tprof "
                          "report prints tables",
                          name ? name : "");
}

enum status view_terminal_check(struct diagnostic *diagnostic)
{
    const char *name = getenv("TERM");

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "view: expected a terminal for keys and screen; tprof report prints "
                              "tables");
    if (!name || strcmp(name, "dumb") == 0)
        return refuse_terminal(diagnostic);
    return STATUS_OK;
}

bool view_terminal_has_unicode(void)
{
    return terminal_has_unicode(TERMINAL_AUTO) && MB_CUR_MAX > 1;
}

/* ---- the screen ------------------------------------------------------------------------ */

/* Only the place of the cursor depends on these attributes; nothing else does. */
static attr_t attribute_of(enum view_style style)
{
    switch (style) {
    case VIEW_HEADING: return A_BOLD;
    case VIEW_TITLES: return A_UNDERLINE;
    case VIEW_CURSOR:
    case VIEW_BAR: return A_REVERSE;
    case VIEW_PLAIN: break;
    }
    return A_NORMAL;
}

static void put(void *of, size_t y, const char *line, enum view_style style)
{
    (void)of;
    mvaddstr((int)y, 0, line);
    mvchgat((int)y, 0, -1, attribute_of(style), 0, NULL);
}

static void draw(struct view *view)
{
    erase();
    view_draw(view, put, NULL);
    refresh();
}

/* Repaints everything: a terminal may keep anything of its old size. */
static void fit(struct view *view)
{
    clearok(stdscr, TRUE);
    view_resize(view, (size_t)getmaxx(stdscr), (size_t)getmaxy(stdscr));
}

/* ---- keys ------------------------------------------------------------------------------ */

static const struct {
    int code;
    enum view_key key;
    char byte;
} named_keys[] = {
    {KEY_UP, VIEW_KEY_UP, 0},
    {KEY_DOWN, VIEW_KEY_DOWN, 0},
    {KEY_PPAGE, VIEW_KEY_PAGE_UP, 0},
    {KEY_NPAGE, VIEW_KEY_PAGE_DOWN, 0},
    {KEY_HOME, VIEW_KEY_HOME, 0},
    {KEY_END, VIEW_KEY_END, 0},
    {KEY_RIGHT, VIEW_KEY_OPEN, 0},
    {KEY_ENTER, VIEW_KEY_OPEN, '\r'},
    {KEY_LEFT, VIEW_KEY_BACK, 0},
    {KEY_BACKSPACE, VIEW_KEY_BACK, '\b'},
    {KEY_BTAB, VIEW_KEY_LAST_TABLE, 0},
};

static void press(struct view *view, int code)
{
    if (code == KEY_RESIZE) {
        fit(view);
        return;
    }
    if (code < KEY_MIN)
        view_press(view, view_find_key((char)code), (char)code);
    for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
        if (named_keys[i].code == code)
            view_press(view, named_keys[i].key, named_keys[i].byte);
}

/* A change of size is accepted only while waiting: between two calls of getch it would wait for the
 * next key.
 * Returns: ERR where the terminal is gone. */
static int wait_for_key(const sigset_t *waiting)
{
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};

    for (;;) {
        int code = getch(); /* returns at once: nodelay */
        bool is_there = input.revents != 0;

        if (code != ERR || is_there)
            return code;
        if (ppoll(&input, 1, NULL, waiting) < 0 && errno != EINTR)
            return ERR;
    }
}

static void serve(struct view *view, const sigset_t *waiting)
{
    fit(view);
    while (!view->is_over) {
        int code;

        draw(view);
        code = wait_for_key(waiting);
        if (code == ERR)
            view->is_over = true;
        else
            press(view, code);
    }
}

static void serve_blocked(struct view *view)
{
    sigset_t size_changes, waiting;

    sigemptyset(&size_changes);
    sigaddset(&size_changes, SIGWINCH);
    sigprocmask(SIG_BLOCK, &size_changes, &waiting);
    serve(view, &waiting);
    sigprocmask(SIG_SETMASK, &waiting, NULL);
}

static void prepare(void)
{
    set_escdelay(ESCAPE_WAIT_MS);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
}

enum status view_terminal_run(struct view *view, struct diagnostic *diagnostic)
{
    SCREEN *screen;

    tcgetattr(STDIN_FILENO, &before.modes);
    screen = open_screen();
    if (!screen)
        return refuse_terminal(diagnostic);
    watch_signals();
    prepare();
    serve_blocked(view);
    endwin();
    delscreen(screen);
    unwatch_signals();
    return STATUS_OK;
}
