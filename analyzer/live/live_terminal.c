/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The alternate screen of a terminal.
 */
#include "live/live_terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/text.h"

#define ENTER "\033[?1049h\033[?25l\033[2J"
#define LEAVE "\033[0m\033[?25h\033[?1049l"
#define HOLD "\033[?2026h"
#define RELEASE "\033[?2026l"

enum { WIDTH_UNKNOWN = 80, HEIGHT_UNKNOWN = 24, KEY_CONTROL_C = 3 };

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV};

enum { DEADLY = sizeof deadly / sizeof *deadly };

static struct {
    struct termios modes;
    struct text_list shown;
    bool is_open;
    bool has_colour;
} terminal;

static volatile sig_atomic_t has_resized;

static void put(const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, size);

        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
}

static void restore_and_end(int number)
{
    if (write(STDOUT_FILENO, LEAVE, sizeof LEAVE - 1) < 0)
        _exit(EXIT_FAILURE);
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal.modes);
    raise(number); /* the default action: SA_RESETHAND */
}

static void note_size(int unused)
{
    (void)unused;
    has_resized = 1;
}

static void watch_signals(void)
{
    struct sigaction end = {.sa_handler = restore_and_end, .sa_flags = (int)SA_RESETHAND};
    struct sigaction size = {.sa_handler = note_size};

    for (size_t i = 0; i < DEADLY; i++)
        sigaction(deadly[i], &end, NULL);
    sigaction(SIGWINCH, &size, NULL);
}

static void unwatch_signals(void)
{
    for (size_t i = 0; i < DEADLY; i++)
        signal(deadly[i], SIG_DFL);
    signal(SIGWINCH, SIG_DFL);
}

bool live_terminal_is_there(void)
{
    const char *name = getenv("TERM");

    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && name[0] != '\0' &&
           strcmp(name, "dumb") != 0;
}

void live_terminal_open(bool has_colour)
{
    struct termios modes;

    if (tcgetattr(STDIN_FILENO, &terminal.modes) != 0)
        return;
    text_list_init_owned(&terminal.shown);
    terminal.has_colour = has_colour;
    terminal.is_open = true;
    watch_signals();
    modes = terminal.modes;
    modes.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    modes.c_cc[VMIN] = 0;
    modes.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    put(ENTER, sizeof ENTER - 1);
}

void live_terminal_close(void)
{
    if (!terminal.is_open)
        return;
    terminal.is_open = false;
    put(LEAVE, sizeof LEAVE - 1);
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal.modes);
    unwatch_signals();
    text_list_fini(&terminal.shown);
}

void live_terminal_size(size_t *width, size_t *height)
{
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;

    *width = is_known ? size.ws_col : WIDTH_UNKNOWN;
    *height = is_known && size.ws_row > 0 ? size.ws_row : HEIGHT_UNKNOWN;
}

static const char *shown_at(size_t index)
{
    return index < text_list_count(&terminal.shown) ? text_list_at(&terminal.shown, index) : "";
}

/* The first line and the titles stand out.  The cursor moves to each line that changes. */
static void append_line(struct text *out, size_t index, const char *line)
{
    text_appendf(out, "\033[%zu;1H", index + 1);
    if (terminal.has_colour && index == 0)
        text_append(out, "\033[1m");
    text_append(out, line);
    text_append(out, terminal.has_colour ? "\033[0m\033[K" : "\033[K");
}

void live_terminal_show(const struct text_list *lines)
{
    size_t count = text_list_count(lines), before = text_list_count(&terminal.shown);
    struct text out;

    text_init(&out);
    text_append(&out, HOLD);
    for (size_t i = 0; i < count || i < before; i++) {
        const char *line = i < count ? text_list_at(lines, i) : "";

        if (i >= before || strcmp(line, shown_at(i)) != 0)
            append_line(&out, i, line);
    }
    text_append(&out, RELEASE);
    put(out.bytes, out.size);
    text_fini(&out);
    text_list_fini(&terminal.shown);
    text_list_init_owned(&terminal.shown);
    for (size_t i = 0; i < count; i++)
        text_list_add(&terminal.shown, text_list_at(lines, i));
}

/* A screen of another size starts empty. */
static void clear(void)
{
    put("\033[2J", 4);
    text_list_fini(&terminal.shown);
    text_list_init_owned(&terminal.shown);
}

int live_terminal_wait(int timeout_ms)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = has_resized ? -1 : poll(&input, 1, timeout_ms);
    unsigned char key;

    if (has_resized) {
        has_resized = 0;
        clear();
        return LIVE_KEY_RESIZED;
    }
    if (ready <= 0)
        return LIVE_KEY_NONE;
    if (!(input.revents & POLLIN) || read(STDIN_FILENO, &key, 1) != 1)
        return LIVE_KEY_GONE;
    return key == KEY_CONTROL_C ? LIVE_KEY_GONE : key;
}
