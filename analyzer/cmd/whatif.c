/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof whatif: the recorded kernels on other machines, and the recording against
 * another one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "model/known_machines.h"
#include "model/machine_file.h"
#include "model/session.h"
#include "model/session_open.h"
#include "model/session_unknown.h"
#include "money/whatif_report.h"
#include "options/readers.h"

enum { PLACES_MAX = 64 };

/* Assumed cost of a kernel launch on an accelerator: vendors' tools show a few microseconds.
 * Reports state this assumption. */
static const uint64_t standard_launch_ns = 5000;

/* The parsed command line. */
struct request {
    const char *machines[PLACES_MAX];
    size_t machine_count;
    double peak, bandwidth;
    unsigned cores;
    bool wants_tensor_cores;
    uint64_t launch_ns; /* SESSION_UNKNOWN: not set */
    const char *here;
    const char *reference;
};

static enum status add_machine(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct request *request = value->fields;

    if (request->machine_count == PLACES_MAX)
        return diagnostic_set(diagnostic, STATUS_USAGE, "whatif: at most %d machines", PLACES_MAX);
    request->machines[request->machine_count++] = value->text;
    return STATUS_OK;
}

static enum status read_cores(const struct option_value *value, struct diagnostic *diagnostic)
{
    double cores = 0;
    struct option_value number = {value->row, value->text, &cores, NULL};
    enum status status = option_above_0(&number, diagnostic);

    if (!status && (cores != floor(cores) || cores > 1e6))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--cores %.40s: expected a whole number above 0", value->text);
    *(unsigned *)value->field = (unsigned)cores;
    return status;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/whatif_options.def"
#undef OPTION
};

static void take_known(struct whatif_place *place, const struct known_machine *known,
                       const struct request *request)
{
    place->is_accelerator = known->is_accelerator;
    place->link_bytes_per_second = known->link_bytes_per_second;
    place->launch_ns = known->is_accelerator ? (double)standard_launch_ns : 0;
    if (known->is_accelerator || request->cores == 0 || request->cores >= known->cores)
        snprintf(place->name, sizeof place->name, "%s", known->name);
    else
        snprintf(place->name, sizeof place->name, "%s, %u of %u core%s", known->name,
                 request->cores, known->cores, units_choose(known->cores, "", "s"));
    place->product_peaks[MACHINE_F64] = known->matrix_peaks[MACHINE_F64];
    if (request->wants_tensor_cores)
        place->product_peaks[MACHINE_F32] = known->matrix_peaks[MACHINE_F32];
}

/* Without a word as many threads as were measured at most. */
static void take_file(struct whatif_place *place, const struct request *request)
{
    const struct machine *machine = &place->machine;

    place->threads = request->cores;
    for (size_t i = 0; i < machine->peaks.count && request->cores == 0; i++) {
        const struct machine_peak *peak = array_at(&machine->peaks, i);

        if (peak->threads > place->threads)
            place->threads = peak->threads;
    }
    snprintf(place->name, sizeof place->name, "%.60s%s%.50s, %u thread%s", machine->cpu,
             machine->host[0] ? " of " : "", machine->host, place->threads,
             units_choose(place->threads, "", "s"));
}

/* A name is a file when that file exists, or when it looks like a path. */
static enum status find_place(struct whatif_place *place, const char *name,
                              const struct request *request, struct diagnostic *diagnostic)
{
    struct known_machine known;
    enum status status;

    if (strchr(name, '/') || access(name, F_OK) == 0) {
        destination_note_input(name);
        status = machine_file_read(&place->machine, name, diagnostic);
        if (!status)
            take_file(place, request);
        return status == STATUS_NOT_FOUND ? STATUS_IO : status;
    }
    status = known_machine_find(name, &known, diagnostic);
    if (status)
        return STATUS_USAGE;
    take_known(place, &known, request);
    known_machine_describe(&known, request->cores, &place->machine);
    return STATUS_OK;
}

static enum status give_place(struct whatif_place *place, const struct request *request,
                              struct diagnostic *diagnostic)
{
    if (isnan(request->peak) || isnan(request->bandwidth))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "whatif: a machine of two numbers needs --peak and --bandwidth");
    snprintf(place->name, sizeof place->name, "the machine given");
    machine_init_given(&place->machine, request->peak, request->bandwidth);
    return STATUS_OK;
}

struct places {
    struct whatif_place items[PLACES_MAX + 1];
    size_t count;
};

static enum status find_places(struct places *places, const struct request *request,
                               struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    bool is_given = isfinite(request->peak) || isfinite(request->bandwidth);

    for (size_t i = 0; i < request->machine_count + is_given && !status; i++) {
        struct whatif_place *place = &places->items[i];

        whatif_place_init(place);
        status = i < request->machine_count
                     ? find_place(place, request->machines[i], request, diagnostic)
                     : give_place(place, request, diagnostic);
        if (!status && request->launch_ns != SESSION_UNKNOWN)
            place->launch_ns = (double)request->launch_ns;
        places->count += !status;
    }
    return status;
}

static void free_places(struct places *places)
{
    for (size_t i = 0; i < places->count; i++)
        whatif_place_fini(&places->items[i]);
    free(places);
}

static enum status answer(const struct whatif_question *question, const struct cmd_options *options,
                          struct diagnostic *diagnostic)
{
    struct document document;

    whatif_report_build(question, &document);
    return cmd_finish_document(&document, options, diagnostic);
}

static enum status answer_with_reference(struct whatif_question *question, const char *path,
                                         const struct cmd_options *options,
                                         struct diagnostic *diagnostic)
{
    struct session reference;
    enum status status;

    if (!path)
        return answer(question, options, diagnostic);
    status = cmd_open_session(&reference, path, options, diagnostic);
    if (status)
        return status;
    question->reference = &reference;
    question->reference_path = reference.path;
    status = answer(question, options, diagnostic);
    session_close(&reference);
    return status;
}

static enum status answer_places(struct whatif_question *question, const struct request *request,
                                 const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct places *places = memory_get_zeros(1, sizeof *places);
    enum status status;

    status = find_places(places, request, diagnostic);
    question->places = places->items;
    question->place_count = places->count;
    if (!status)
        status = answer_with_reference(question, request->reference, options, diagnostic);
    free_places(places);
    return status;
}

static enum status report(const struct session *session, const struct cmd_options *options,
                          const void *of, struct cmd_outcome *outcome)
{
    const struct request *request = of;
    struct analysis_options analysis = options->analysis;
    struct whatif_question question = {.session = session, .options = &analysis};
    struct machine here;
    enum status status;

    analysis.limit = options->limit;
    if (!request->here)
        return answer_places(&question, request, options, &outcome->diagnostic);
    destination_note_input(request->here);
    status = machine_file_read(&here, request->here, &outcome->diagnostic);
    if (status)
        return status == STATUS_NOT_FOUND ? STATUS_IO : status;
    analysis.machine = &here;
    status = answer_places(&question, request, options, &outcome->diagnostic);
    machine_fini(&here);
    return status;
}

enum status cmd_whatif(int argc, char **argv, struct cmd_outcome *outcome)
{
    static const char help[] = "The recorded kernels on other machines, by the roofline model.";
    struct request request = {
        .peak = (double)NAN, .bandwidth = (double)NAN, .launch_ns = SESSION_UNKNOWN};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &request};
    struct cmd_options options;
    enum status status = cmd_parse(&options, &own, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (options.is_help) {
        cmd_print_help("whatif", "--machine NAME|FILE [OPTIONS] [TRACE]", help, &own);
        return STATUS_OK;
    }
    if (request.machine_count == 0 && !request.reference && isnan(request.peak) &&
        isnan(request.bandwidth))
        return diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                              "whatif: on which machine? --machine NAME|FILE, --peak with "
                              "--bandwidth, or --reference TRACE; tprof list machines names some");
    return cmd_report_trace(&options, report, &request, outcome);
}
