/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The default fields of perf script: comm, pid, tid, cpu, time, period, event; ip, sym, symoff,
 * dso.  A command's name may contain blanks, colons and digits; a C++ function's or file's name may
 * contain blanks and parentheses.
 *
 * Source: tools/perf/Documentation/perf-script.txt of Linux, and outputs of perf 6.1.
 */
#include "import/perf_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t ns_per_s = 1000000000;

static bool is_digit(char byte)
{
    return isdigit((unsigned char)byte);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* "76266.728874:", in full seconds and up to nine digits behind. */
static bool read_time(const char *word, uint64_t *time_ns)
{
    char *end;
    uint64_t seconds, part = 0, unit = ns_per_s;

    if (!is_digit(*word))
        return false;
    seconds = strtoull(word, &end, 10);
    if (*end++ != '.' || !is_digit(*end) || seconds > UINT32_MAX)
        return false;
    for (; is_digit(*end); end++)
        if (unit > 1) {
            unit /= 10;
            part += (uint64_t)(*end - '0') * unit;
        }
    *time_ns = seconds * ns_per_s + part;
    return *end == ':' && (is_blank(end[1]) || end[1] == 0);
}

/* "23461" or "23460/23461", and a blank. */
static bool read_ids(const char *word, struct perf_head *head)
{
    uint64_t pid = 0, tid;
    char *end;

    if (!is_digit(*word))
        return false;
    tid = strtoull(word, &end, 10);
    if (*end == '/' && is_digit(end[1])) {
        pid = tid;
        tid = strtoull(end + 1, &end, 10);
    }
    head->pid = (uint32_t)pid;
    head->tid = (uint32_t)tid;
    return is_blank(*end) && pid <= INT32_MAX && tid <= INT32_MAX;
}

/* Returns: the word before one, NULL where the line begins. */
static char *word_before(const char *line, char *word)
{
    while (word > line && is_blank(word[-1]))
        word--;
    if (word == line)
        return NULL;
    while (word > line && !is_blank(word[-1]))
        word--;
    return word;
}

/* Between the ids and the time there may be a processor. */
static char *find_ids(const char *line, char *time, struct perf_head *head)
{
    char *word = word_before(line, time);

    if (word && *word == '[')
        word = word_before(line, word);
    return word && word > line && read_ids(word, head) ? word : NULL;
}

/* "cpu-clock" of "cpu-clock:pppH"; "sched:sched_switch" stays. */
static void cut_modifiers(char *event)
{
    static const char modifiers[] = "ukhpPSDIGHWe";
    char *colon = strrchr(event, ':');

    if (colon && colon[1 + strspn(colon + 1, modifiers)] == 0)
        *colon = 0;
}

/* "250000 cpu-clock:pppH: 11dd main ..." */
static void read_event(char *text, struct perf_head *head)
{
    char *end;

    head->event = NULL;
    head->period = 0;
    text += strspn(text, " \t");
    if (is_digit(*text)) {
        uint64_t period = strtoull(text, &end, 10);

        if (is_blank(*end)) {
            head->period = period;
            text = end + strspn(end, " \t");
        }
    }
    end = text + strcspn(text, " \t");
    if (end == text || end[-1] != ':')
        return;
    head->rest = *end ? end + 1 : end;
    end[-1] = 0;
    cut_modifiers(text);
    head->event = text;
}

static void cut_blanks(char *start, char *end)
{
    while (end > start && is_blank(end[-1]))
        end--;
    *end = 0;
}

bool perf_line_read_head(char *line, struct perf_head *head)
{
    for (char *word = line; *word; word += strcspn(word, " \t")) {
        char *ids;

        word += strspn(word, " \t");
        ids = read_time(word, &head->time_ns) ? find_ids(line, word, head) : NULL;
        if (!ids)
            continue;
        read_event(word + strcspn(word, " \t"), head);
        line += strspn(line, " \t");
        cut_blanks(line, ids);
        head->command = line;
        return true;
    }
    return false;
}

/* Returns: the opening parenthesis of the one that ends a line; NULL: there is none. */
static char *find_library(char *line, size_t size)
{
    int depth = 0;

    if (size == 0 || line[size - 1] != ')')
        return NULL;
    for (char *byte = line + size; byte-- > line;) {
        depth += *byte == ')';
        depth -= *byte == '(';
        if (depth == 0)
            return byte > line && is_blank(byte[-1]) ? byte : NULL;
    }
    return NULL;
}

/* Takes "+0x2d" off a function. */
static uint64_t cut_offset(char *function)
{
    char *plus = strrchr(function, '+'), *end;
    uint64_t offset;

    if (!plus || strncmp(plus, "+0x", 3) != 0 || !isxdigit((unsigned char)plus[3]))
        return 0;
    offset = strtoull(plus + 3, &end, 16);
    if (*end)
        return 0;
    *plus = 0;
    return offset;
}

bool perf_line_read_frame(char *line, struct perf_frame *frame)
{
    size_t size = strlen(line);
    char *library, *function;

    while (size > 0 && isspace((unsigned char)line[size - 1]))
        size--;
    line[size] = 0;
    library = find_library(line, size);
    line += strspn(line, " \t");
    if (!library || !isxdigit((unsigned char)*line))
        return false;
    frame->address = strtoull(line, &function, 16);
    if (!is_blank(*function))
        return false;
    line[strlen(line) - 1] = 0; /* the last parenthesis */
    frame->library = library + 1;
    function += strspn(function, " \t");
    cut_blanks(function, library);
    frame->function = function;
    frame->offset = cut_offset(function);
    if (strcmp(function, "[unknown]") == 0)
        frame->function = "";
    frame->is_inlined = strcmp(frame->library, "inlined") == 0;
    return true;
}
