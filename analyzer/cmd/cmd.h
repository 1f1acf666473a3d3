/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands: one verb a file.  A command parses its arguments, calls, renders
 * and returns a status; only main prints a diagnostic.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/status.h"
#include "model/machine.h"
#include "model/session_window.h"
#include "render/render.h"
#include "render/terminal.h"

/* The result of a command.  `exit_code` is for `run`, which returns the exit code of its program;
 * -1 means the exit code of the status. */
struct cmd_outcome {
    struct diagnostic diagnostic;
    int exit_code;
};

struct command {
    const char *name;
    const char *second; /* word after the name, or NULL */
    const char *arguments;
    const char *help;
    /* Arguments as in main, with the last word of the command's name first. */
    enum status (*run)(int argc, char **argv, struct cmd_outcome *outcome);
};

#define COMMAND(name, arguments, help)                                                             \
    enum status cmd_##name(int argc, char **argv, struct cmd_outcome *outcome);
#define SUBCOMMAND(name, second, arguments, help)                                                  \
    enum status cmd_##name##_##second(int argc, char **argv, struct cmd_outcome *outcome);
#include "cmd/commands.def"
#undef COMMAND
#undef SUBCOMMAND

/* The command of every analysis; argv[0] is the analysis' name. */
enum status cmd_analysis(int argc, char **argv, struct cmd_outcome *outcome);

/* Room for the options of one analysis. */
union cmd_own {
    max_align_t alignment;
    unsigned char bytes[64];
};

enum {
    CMD_ANALYSES = 0
#define ANALYSIS(name) +1
#include "analysis/analyses.def"
#undef ANALYSIS
};

/* The options of reporting commands: the shared ones, and those of the analyses. */
struct cmd_options {
    const char *by; /* the user's words, or NULL */
    const struct renderer *renderer;
    const char *output;       /* NULL: standard output */
    const char *sort;         /* key of a column, or NULL */
    const char *filter;       /* regular expression on the rows' texts, or NULL */
    const char *trace;        /* NULL: the newest trace here */
    char **traces;            /* all traces that cmd_parse_many was given */
    size_t trace_count;       /* number of traces */
    const char *before;       /* the trace to compare with, or NULL */
    const char *suppressions; /* a file of them, or NULL */
    uint64_t calls_most;      /* the limit of session_options; 0: as many as reports keep */
    struct session_window window; /* the part of the run to read */
    size_t incident;              /* instead, the window of this incident; 0: none */
    bool leaves_heap;         /* read no blocks of the heap */
    struct symbols *symbols;  /* of an open session of the same trace; or NULL */
    const char *root;         /* root of the system where the trace was recorded, or NULL */
    bool is_difference;       /* two traces were asked for */
    bool has_warmup;          /* the user set the number of calls */
    bool is_measure;          /* `sort` is one of memory's measures, not a column */
    size_t limit;             /* rows shown; 0: all */
    bool has_limit;           /* the user set the limit */
    bool is_cut_unasked;      /* a default limit cuts the rows */
    const char *machine;      /* a file of tprof calibrate, or NULL: that of this host */
    double peak;              /* the user's own FLOP/s; NAN: none given */
    double bandwidth;         /* bytes/s */
    bool may_overwrite;
    bool is_full; /* everything, not only one screen */
    bool is_job;  /* all processes of the run together */
    uint64_t every_ns; /* windows of requests; 0: none */
    uint64_t max_ns;   /* their limit; 0: the usual one */
    bool is_help;
    enum terminal_choice colour;
    union cmd_own own[CMD_ANALYSES];  /* in the order of analyses.def */
    struct analysis_options analysis; /* points into `own`, also when it is copied */
};

/* Read the shared options and the command's own (or NULL).  At most one TRACE may follow, or two
 * with --diff.  Errors: STATUS_USAGE with a diagnostic. */
enum status cmd_parse(struct cmd_options *options, const struct option_set *own, int argc,
                      char **argv, struct diagnostic *diagnostic) MUST_CHECK;

/* The same where any number of traces may follow. */
enum status cmd_parse_many(struct cmd_options *options, const struct option_set *own, int argc,
                           char **argv, struct diagnostic *diagnostic) MUST_CHECK;

/* Refuse --by with rows that a command lacks.
 * Errors: STATUS_USAGE with a diagnostic that lists the command's rows. */
enum status cmd_check_by(const struct cmd_options *options, const char *command,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* Print "Usage: tprof NAME ...", the shared options, and the command's own or NULL. */
void cmd_print_help(const char *name, const char *arguments, const char *help,
                    const struct option_set *own);

/* Print a line on standard error, next to a result; it cannot steer the terminal. */
void cmd_tell(const char *line);

/* Leave out a file that was found in a folder, not named, and is unusable: a line says why. */
void cmd_leave_out(const struct diagnostic *diagnostic);

/* Reports on an open session. */
typedef enum status (*cmd_reporter)(const struct session *session,
                                    const struct cmd_options *options, const void *of,
                                    struct cmd_outcome *outcome);

/* The common path of all reporting commands: read the options, print help if requested, open the
 * named trace or the newest one here, and report. */
enum status cmd_run_reporter(int argc, char **argv, const char *help, cmd_reporter report,
                             const void *of, struct cmd_outcome *outcome);

/* The same, for options that are already read. */
enum status cmd_report_trace(struct cmd_options *options, cmd_reporter report, const void *of,
                             struct cmd_outcome *outcome);

/* Show on a terminal how far a long reading of a trace is; for session_options.  `of` is a struct
 * cmd_progress. */
struct cmd_progress {
    const char *name;
    int64_t start_ns;
    bool is_shown;
};
void cmd_progress_start(struct cmd_progress *progress, const char *name);
void cmd_progress_show(void *of, uint64_t done, uint64_t whole);
void cmd_progress_erase(struct cmd_progress *progress);

/* Find the trace to read: the file `named`; or the newest *.tprof* of that directory (NULL: the
 * working directory), in `room`.  A line on standard error then names others of the same run.
 * Errors: STATUS_IO when there is none; the diagnostic says what to do. */
enum status cmd_choose_trace(const char **trace, char room[PATH_MAX], const char *named,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* Read the chosen trace, and show the progress.  Errors: those of cmd_choose_trace and
 * session_open. */
enum status cmd_open_session(struct session *session, const char *named,
                             const struct cmd_options *options,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* Filter, sort and cut the rows as the options say; NULL is no table.
 * Errors: STATUS_USAGE: a column is unknown. */
enum status cmd_arrange(struct table *table, const struct analysis *analysis,
                        const struct cmd_options *options,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* Find the limits of a session's machine, from the user or from the calibration of that host and
 * processor, or the reason why there are none.  The options point into it.
 * Errors: those of machine_file_read, for a file that the user named. */
struct cmd_machine {
    struct machine machine;
    bool is_known;
    char reason[600];
};
enum status cmd_machine_open(struct cmd_machine *machine, const struct session *session,
                             struct cmd_options *options, struct diagnostic *diagnostic) MUST_CHECK;
void cmd_machine_close(struct cmd_machine *machine);

/* Render a table or a document, or write a text, where the options say. */
enum status cmd_render_table(struct table *table, const struct analysis *analysis,
                             const struct cmd_options *options,
                             struct diagnostic *diagnostic) MUST_CHECK;
enum status cmd_write_text(const char *bytes, const struct cmd_options *options,
                           struct diagnostic *diagnostic) MUST_CHECK;
enum status cmd_render_document(const struct document *document, const struct cmd_options *options,
                                struct diagnostic *diagnostic) MUST_CHECK;

/* Render a document, and finish it. */
enum status cmd_finish_document(struct document *document, const struct cmd_options *options,
                                struct diagnostic *diagnostic) MUST_CHECK;

#endif
