/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading options from the environment.  Runs once a process image.
 */
#include "record/settings_parts.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "platform/environment.h"
#include "spec/decimal.h"

struct settings settings;

struct row {
    const char *variable;
    const char *standard;
};

static const struct row rows[] = {
#define OPTION(field, variable, flag, type, standard, argument, help) {variable, standard},
#include "spec/options.def"
#undef OPTION
};

struct suffix {
    const char *text;
    uint64_t factor;
};

static const struct suffix sizes[] = {
    {"", 1},           {"K", 1u << 10}, {"KiB", 1u << 10}, {"M", 1u << 20},
    {"MiB", 1u << 20}, {"G", 1u << 30}, {"GiB", 1u << 30}, {NULL, 0},
};

static const struct suffix counts[] = {{"", 1}, {NULL, 0}};

static const struct suffix durations[] = {
    {"", 1000000},        {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000},
    {"min", 60000000000}, {NULL, 0},
};

const char *settings_variable(enum settings_id id)
{
    return rows[id].variable;
}

void settings_note_mistake(enum settings_id id, const char *expected)
{
    if (settings.mistake[0] != '\0')
        return;
    snprintf(settings.mistake, sizeof settings.mistake, "%s=%.60s: expected %s; using %s",
             rows[id].variable, settings.text[id], expected,
             rows[id].standard[0] ? rows[id].standard : "none");
    settings.text[id] = rows[id].standard;
}

/* Read a whole number and a suffix.  Returns: false when the text is not that, or the number is too
 * large; the value stays then. */
static bool read_quantity(const char *text, const struct suffix *suffixes, uint64_t *value)
{
    const char *end;
    uint64_t number = 0;

    if (text[0] < '0' || text[0] > '9')
        return false;
    end = decimal_read(text, &number);
    for (; suffixes->text; suffixes++) {
        if (strcmp(suffixes->text, end) != 0)
            continue;
        if (number > UINT64_MAX / suffixes->factor)
            return false;
        *value = number * suffixes->factor;
        return true;
    }
    return false;
}

bool settings_read_size(const char *text, uint64_t *value)
{
    return read_quantity(text, sizes, value);
}

bool settings_read_duration(const char *text, uint64_t *value)
{
    return read_quantity(text, durations, value);
}

static void read_size(enum settings_id id, uint64_t *value)
{
    if (!settings_read_size(settings.text[id], value))
        settings_note_mistake(id, "a size such as 64M");
}

static bool is_none(enum settings_id id)
{
    return strcmp(settings.text[id], "none") == 0;
}

/* A budget of 0 would leave room for nothing, so 0 means "none". */
static void read_size_budget(enum settings_id id, uint64_t *value)
{
    if (is_none(id))
        *value = 0;
    else if (!read_quantity(settings.text[id], sizes, value))
        settings_note_mistake(id, "a size such as 1GiB, or none");
}

/* A time of decades means never.  The limit keeps sums of times, and ticks, below 2^64. */
static void read_duration(enum settings_id id, uint64_t *value)
{
    static const uint64_t longest_ns = UINT64_C(1000000000000000000);

    if (!read_quantity(settings.text[id], durations, value))
        settings_note_mistake(id, "a time such as 100ms");
    else if (*value > longest_ns)
        *value = longest_ns;
}

static void read_count(enum settings_id id, uint64_t *value)
{
    if (!read_quantity(settings.text[id], counts, value))
        settings_note_mistake(id, "a number such as 10");
}

/* No strtod: the program's locale rules it. */
const char *settings_read_decimal(const char *text, uint64_t scale, uint64_t most, uint64_t *value)
{
    uint64_t whole = 0;

    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9' && whole < most; text++)
        whole = 10 * whole + (uint64_t)(*text - '0');
    *value = whole * scale;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9' && scale > 1; text++) {
            scale /= 10;
            *value += (uint64_t)(*text - '0') * scale;
        }
    return text;
}

/* "1", "1%" or "0.25%", in parts of a million. */
bool settings_read_millionths(const char *text, uint64_t *value)
{
    uint64_t sum;

    text = settings_read_decimal(text, 10000, UINT32_MAX, &sum);
    if (!text || sum > 1000000 || (strcmp(text, "") != 0 && strcmp(text, "%") != 0))
        return false;
    *value = sum;
    return true;
}

static void read_share_budget(enum settings_id id, uint64_t *value)
{
    if (is_none(id))
        *value = 0;
    else if (!settings_read_millionths(settings.text[id], value))
        settings_note_mistake(id, "a percentage such as 1%, at most 100%, or none");
}

static void read_yesno(enum settings_id id, bool *value)
{
    const char *text = settings.text[id];

    if (strcmp(text, "yes") == 0 || strcmp(text, "1") == 0)
        *value = true;
    else if (strcmp(text, "no") == 0 || strcmp(text, "0") == 0)
        *value = false;
    else
        settings_note_mistake(id, "yes or no");
}

static void read_onoff(enum settings_id id, bool *value)
{
    const char *text = settings.text[id];

    if (strcmp(text, "on") == 0)
        *value = true;
    else if (strcmp(text, "off") == 0)
        *value = false;
    else
        settings_note_mistake(id, "on or off");
}

/* Returns: the number of the word; that of `present` when there is no such word. */
static unsigned read_word(enum settings_id id, const char *const *words, unsigned present,
                          const char *expected)
{
    for (unsigned i = 0; words[i]; i++)
        if (strcmp(settings.text[id], words[i]) == 0)
            return i;
    settings_note_mistake(id, expected);
    return present;
}

static void read_ops(void)
{
    static const char *const words[] = {
        [SETTINGS_OPS_ON] = "on",   [SETTINGS_OPS_PATHS] = "paths", [SETTINGS_OPS_NAMES] = "names",
        [SETTINGS_OPS_OFF] = "off", [SETTINGS_OPS_OFF + 1] = NULL,
    };

    settings.ops =
        (enum settings_ops)read_word(SETTING_OPS, words, settings.ops, "on, paths, names or off");
}

static void read_requests(void)
{
    static const char *const words[] = {
        [SETTINGS_REQUESTS_SOCKETS] = "sockets",
        [SETTINGS_REQUESTS_PATHS] = "paths",
        [SETTINGS_REQUESTS_OFF] = "off",
        [SETTINGS_REQUESTS_OFF + 1] = NULL,
    };

    settings.requests = (enum settings_requests)read_word(
        SETTING_REQUESTS, words, settings.requests, "sockets, paths or off");
}

static const struct {
    const char *name;
    int number;
} signals[] = {{"SIGUSR1", SIGUSR1}, {"SIGUSR2", SIGUSR2}};

enum { SIGNALS = sizeof signals / sizeof *signals };

/* The system never sends these signals by itself, and they have no standard use that a handler of
 * the shim could disturb, unlike INT, CHLD or SEGV. */
static bool is_free_signal(uint64_t number)
{
    for (int i = 0; i < SIGNALS; i++)
        if (number == (uint64_t)signals[i].number)
            return true;
    return number >= (uint64_t)SIGRTMIN && number <= (uint64_t)SIGRTMAX;
}

/* Read "USR2" or "SIGUSR2", "RTMIN", "RTMIN+3", "12".  Returns: false for any other text. */
static bool parse_signal(const char *text, uint64_t *number)
{
    static const char first[] = "RTMIN";
    const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;

    for (int i = 0; i < SIGNALS; i++) {
        *number = (uint64_t)signals[i].number;
        if (strcmp(name, signals[i].name + 3) == 0)
            return true;
    }
    *number = (uint64_t)SIGRTMIN;
    if (strncmp(name, first, sizeof first - 1) != 0)
        return read_quantity(text, counts, number);
    name += sizeof first - 1;
    if (*name == '+' && !read_quantity(name + 1, counts, number))
        return false;
    *number += *name == '+' ? (uint64_t)SIGRTMIN : 0;
    return *name == '+' || *name == '\0';
}

/* The name used by kill -l. */
static void name_signal(int number)
{
    char *label = settings.snapshot_label;

    snprintf(label, sizeof settings.snapshot_label, number > SIGRTMIN ? "SIGRTMIN+%d" : "SIGRTMIN",
             number - SIGRTMIN);
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == number)
            strcpy(label, signals[i].name);
}

static void read_signal(enum settings_id id, int *signal)
{
    uint64_t number;

    *signal = 0;
    if (is_none(id))
        return;
    if (!parse_signal(settings.text[id], &number) || !is_free_signal(number)) {
        settings_note_mistake(id, "USR1, USR2 or RTMIN+N, or the number of one of these");
        return;
    }
    *signal = (int)number;
    name_signal(*signal);
}

static bool read_sample(const char *text)
{
    static const char start[] = "sample:";
    uint64_t bytes;

    if (strncmp(text, start, sizeof start - 1) != 0 ||
        !read_quantity(text + sizeof start - 1, sizes, &bytes) || bytes == 0)
        return false;
    settings.alloc = SETTINGS_ALLOC_SAMPLE;
    settings.sample_bytes = bytes < UINT32_MAX ? bytes : UINT32_MAX; /* the limit of records */
    return true;
}

static void read_alloc(void)
{
    static const struct {
        const char *name;
        enum settings_alloc alloc;
    } modes[] = {{"full", SETTINGS_ALLOC_FULL},
                 {"nostack", SETTINGS_ALLOC_NOSTACK},
                 {"count", SETTINGS_ALLOC_COUNT},
                 {"off", SETTINGS_ALLOC_OFF}};

    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(settings.text[SETTING_ALLOC], modes[i].name) != 0)
            continue;
        settings.alloc = modes[i].alloc;
        return;
    }
    if (!read_sample(settings.text[SETTING_ALLOC]))
        settings_note_mistake(SETTING_ALLOC,
                              "full, nostack, sample:BYTES such as sample:512K, count or off");
}

bool settings_takes_chains(void)
{
    return settings.alloc == SETTINGS_ALLOC_FULL || settings.alloc == SETTINGS_ALLOC_SAMPLE;
}

bool settings_has_budget(void)
{
    return settings.overhead_ppm > 0 || settings.disk_bytes > 0;
}

uint64_t settings_recorded_calls(void)
{
    if (settings.runs == 0 || settings.warmup > UINT64_MAX - settings.runs)
        return UINT64_MAX;
    return settings.warmup + settings.runs;
}

static void read_values(void)
{
    read_size(SETTING_CAPACITY, &settings.capacity_bytes);
    read_duration(SETTING_INTERVAL, &settings.interval_ns);
    read_count(SETTING_WARMUP, &settings.warmup);
    read_count(SETTING_RUNS, &settings.runs);
    read_share_budget(SETTING_OVERHEAD, &settings.overhead_ppm);
    read_size_budget(SETTING_DISK, &settings.disk_bytes);
    read_signal(SETTING_SNAPSHOT_SIGNAL, &settings.snapshot_signal);
    read_onoff(SETTING_SAMPLE, &settings.samples);
    read_onoff(SETTING_PYTHON, &settings.python);
    read_onoff(SETTING_PYTHON_OBJECTS, &settings.python_objects);
    read_ops();
    read_onoff(SETTING_RANGES, &settings.ranges);
    read_requests();
    settings_read_keep();
    read_yesno(SETTING_FOLLOW, &settings.follow);
    read_yesno(SETTING_QUIET, &settings.quiet);
    read_alloc();
}

static bool is_variable(const char *name, size_t length)
{
    for (unsigned i = 0; i < SETTINGS_COUNT; i++)
        if (strncmp(rows[i].variable, name, length) == 0 && rows[i].variable[length] == '\0')
            return true;
    return false;
}

/* Note a mistyped name, which would have no effect otherwise. */
static void check_name(const char *text)
{
    static const char start[] = "TPROF_";
    size_t length = strcspn(text, "=");

    if (strncmp(text, start, sizeof start - 1) != 0 || is_variable(text, length) ||
        settings.mistake[0] != '\0')
        return;
    snprintf(settings.mistake, sizeof settings.mistake, "%.*s: no such variable; see libtprof(7)",
             length < 60 ? (int)length : 60, text);
}

void settings_read(void)
{
    for (unsigned i = 0; i < SETTINGS_COUNT; i++)
        settings.text[i] = rows[i].standard;
    read_values();
    for (unsigned i = 0; i < SETTINGS_COUNT; i++) {
        const char *given = environment_get(rows[i].variable);

        if (given && given[0] != '\0')
            settings.text[i] = given;
    }
    read_values();
    settings_check_keep();
    environment_each(check_name);
}
