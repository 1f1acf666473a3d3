/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * damaged WAY TRACE SEED: reads a trace thousands of times, each time with different damage, and
 * judges each end: a known status, the matching lines on standard error, and no signal.  For each
 * reading, a forked child runs the main of tprof: a shell that starts tprof, and counts its lines
 * with other programs, needs ten times as long.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spec/trace.h"

int tprof_main(int argc, char **argv);

#define main tprof_main
#include "main.c"
#undef main

enum {
    ROUNDS = 200,
    FLIPS = 32,      /* bytes of a round */
    FIELDS_FROM = 8, /* behind the magic */
    FIELDS_TO = 344, /* the end of the header's fields */
    SECONDS = 60,    /* of processor time: a reading takes a tenth of a second */
    UNREADABLE = 3,  /* status of tprof for a file that is no trace */
    NOT_ENOUGH = 4   /* and of a trace that was cut off */
};

static const char path[] = "damaged.tprof";

static char *trace;
static size_t trace_size;
static unsigned wrong;

/* ---- one reading --------------------------------------------------------- */

struct output {
    int descriptor;
    char *text; /* a copy, which ends with 0 */
    size_t lines;
};

struct reading {
    int status; /* in the form of waitpid() */
    struct output out, err;
};

static void give_up(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static struct output output_open(const char *name)
{
    int descriptor = memfd_create(name, MFD_CLOEXEC);

    if (descriptor < 0)
        give_up("memfd_create");
    return (struct output){.descriptor = descriptor};
}

static void output_read(struct output *output)
{
    off_t size = lseek(output->descriptor, 0, SEEK_END);

    output->text = calloc(1, (size_t)size + 1);
    if (!output->text || pread(output->descriptor, output->text, (size_t)size, 0) != size)
        give_up("what was printed");
    for (off_t i = 0; i < size; i++)
        output->lines += output->text[i] == '\n';
}

static void output_close(struct output *output)
{
    free(output->text);
    close(output->descriptor);
}

static void read_as_child(const char *command, const struct reading *reading)
{
    char *words[] = {"tprof", strdup(command), strdup(path), NULL};
    struct rlimit limit = {SECONDS, SECONDS};

    dup2(reading->out.descriptor, STDOUT_FILENO);
    dup2(reading->err.descriptor, STDERR_FILENO);
    setrlimit(RLIMIT_CPU, &limit);
    exit(tprof_main(3, words));
}

static struct reading reading_open(const char *command)
{
    struct reading reading = {.out = output_open("out"), .err = output_open("err")};
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0)
        read_as_child(command, &reading);
    if (child < 0 || waitpid(child, &reading.status, 0) != child)
        give_up("fork");
    output_read(&reading.out);
    output_read(&reading.err);
    return reading;
}

static void reading_close(struct reading *reading)
{
    output_close(&reading->out);
    output_close(&reading->err);
}

/* ---- the right result ---------------------------------------------------- */

/* Lines "cut: ..." and, with their author, "tprof: cut: ...". */
static size_t count_cut_lines(const char *text)
{
    size_t count = 0;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *words = strncmp(line, "tprof: ", 7) == 0 ? line + 7 : line;

        count += strncmp(words, "cut: ", 5) == 0;
    }
    return count;
}

/* Whole; or unreadable, with a line that says so; or truncated, with one line on either output. */
static bool is_survived(const struct reading *reading)
{
    size_t lines = reading->err.lines;

    if (!WIFEXITED(reading->status))
        return false;
    switch (WEXITSTATUS(reading->status)) {
    case 0:
        return lines == 0;
    case UNREADABLE:
        return lines == 1;
    case NOT_ENOUGH:
        return lines <= 1 &&
               count_cut_lines(reading->out.text) + count_cut_lines(reading->err.text) == 1;
    default:
        return false;
    }
}

static bool is_refused(const struct reading *reading)
{
    static const char line[] = "tprof: damaged.tprof: ";

    return WIFEXITED(reading->status) && WEXITSTATUS(reading->status) == UNREADABLE &&
           reading->err.lines == 1 && strncmp(reading->err.text, line, sizeof line - 1) == 0;
}

static void check(const char *command, bool (*is_right)(const struct reading *), const char *how,
                  size_t number)
{
    struct reading reading = reading_open(command);

    if (!is_right(&reading)) {
        wrong++;
        printf("%s %zu: tprof %s ended with %s %d, and said %zu lines: %s\n", how, number, command,
               WIFSIGNALED(reading.status) ? "signal" : "status",
               WIFSIGNALED(reading.status) ? WTERMSIG(reading.status) : WEXITSTATUS(reading.status),
               reading.err.lines, reading.err.text);
    }
    reading_close(&reading);
}

/* ---- ways of damage ------------------------------------------------------ */

static uint64_t drawn;

/* Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t draw(uint64_t below)
{
    uint64_t mixed = drawn += 0x9e3779b97f4a7c15;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return (mixed ^ mixed >> 31) % below;
}

static void write_file(const char *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size)
        give_up(path);
    close(descriptor);
}

/* At each byte of the header. */
static void cut_header(void)
{
    for (size_t size = 0; size < TRACE_HEADER_SIZE; size++) {
        write_file(trace, size);
        check("report", is_refused, "cut to bytes:", size);
    }
}

static void cut_anywhere(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        size_t size = draw(trace_size);

        write_file(trace, size);
        check("report", is_survived, "cut to bytes:", size);
        check("dump", is_survived, "cut to bytes:", size);
    }
}

static void flip_bytes(void)
{
    char *flipped = malloc(trace_size);

    if (!flipped)
        give_up("malloc");
    for (size_t round = 0; round < ROUNDS; round++) {
        memcpy(flipped, trace, trace_size);
        for (int i = 0; i < FLIPS; i++) {
            size_t place = draw(trace_size);

            flipped[place] = (char)draw(256);
        }
        write_file(flipped, trace_size);
        check("report", is_survived, "bytes changed in round", round);
    }
    free(flipped);
}

static void flip_header(void)
{
    for (size_t place = FIELDS_FROM; place < FIELDS_TO; place++) {
        char kept = trace[place];

        trace[place] = (char)0xff;
        write_file(trace, trace_size);
        trace[place] = kept;
        check("report", is_survived, "all bits set of byte", place);
    }
}

static const struct way {
    const char *name;
    void (*run)(void);
} ways[] = {{"cut-header", cut_header},
            {"cut-anywhere", cut_anywhere},
            {"flip-bytes", flip_bytes},
            {"flip-header", flip_header}};

/* ---- the program --------------------------------------------------------- */

static void read_trace(const char *name)
{
    FILE *file = fopen(name, "rb");
    struct stat about;

    if (!file || fstat(fileno(file), &about) != 0)
        give_up(name);
    trace_size = (size_t)about.st_size;
    trace = malloc(trace_size);
    if (!trace || trace_size < TRACE_HEADER_SIZE || fread(trace, 1, trace_size, file) != trace_size)
        give_up(name);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    read_trace(argv[2]);
    drawn = strtoull(argv[3], NULL, 10);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, argv[1]) == 0) {
            ways[i].run();
            free(trace);
            return wrong != 0;
        }
    return 2;
}
