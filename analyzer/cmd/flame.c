/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof flame: a flame graph on a terminal.
 */
#include "cmd/flame_draw.h"

#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/weight.h"
#include "model/session.h"
#include "model/session_open.h"
#include "options/readers.h"
#include "render/terminal.h"

static const char help[] = "A flame graph in characters: each line is a depth of calls, and each "
                           "box as wide as its share.";

struct request {
    struct flame_choice choice;
    enum export_root root;
    struct cmd_options options;
};

static enum status read_weight(const struct option_value *value, struct diagnostic *diagnostic)
{
    return weight_read("flame", value->text, value->field, diagnostic);
}

static enum status read_threads(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(enum export_root *)value->field = EXPORT_BY_THREAD;
    return STATUS_OK;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/flame_options.def"
#undef OPTION
};

static enum status check(const struct request *request, struct diagnostic *diagnostic)
{
    const struct renderer *renderer = request->options.renderer;

    if (renderer && renderer->is_for_programs)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flame: it draws for people; tprof export --format folded is for "
                              "programs");
    return STATUS_OK;
}

static enum status draw(const struct request *request, const struct export_stacks *stacks,
                        struct diagnostic *diagnostic)
{
    const struct render_options page = terminal_options(stdout, request->options.colour);
    struct flame_choice choice = request->choice;
    enum export_weight weight = choice.weight = export_stacks_choose(stacks, choice.weight);
    enum status status;
    struct text out;

    if (!stacks->has[weight])
        return diagnostic_set(diagnostic, STATUS_NOT_FOUND, "flame: the trace does not tell %s",
                              export_weight_at(weight)->help);
    text_init(&out);
    flame_draw(&out, stacks, &choice, &page);
    status = cmd_write_text(out.bytes, &request->options, diagnostic);
    text_fini(&out);
    return status;
}

static enum status report(const struct request *request, struct diagnostic *diagnostic)
{
    struct export_stacks stacks;
    struct session session;
    enum status status =
        cmd_open_session(&session, request->options.trace, &request->options, diagnostic);

    if (status)
        return status;
    export_stacks_make(&stacks, &session, request->root);
    status = draw(request, &stacks, diagnostic);
    session_close(&session);
    return status;
}

enum status cmd_flame(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct request request = {.choice = {EXPORT_WEIGHTS, false}};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &request};
    enum status status = cmd_parse(&request.options, &own, argc, argv, diagnostic);

    if (!status && request.options.is_help) {
        cmd_print_help("flame", "[OPTIONS] [TRACE]", help, &own);
        return STATUS_OK;
    }
    if (!status)
        status = check(&request, diagnostic);
    return status ? status : report(&request, diagnostic);
}
