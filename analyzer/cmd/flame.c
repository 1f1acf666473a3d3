/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof flame: a flame graph on a terminal.
 */
#include "cmd/flame_draw.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/own_options.h"
#include "cmd/weight.h"
#include "model/session.h"
#include "model/session_open.h"
#include "render/terminal.h"

#define OWN_OPTIONS "cmd/flame_options.def"
#include "cmd/own_rows.def"

static const char help[] = "A flame graph in characters: each line is a depth of calls, and each "
                           "box as wide as its share.";

struct request {
    struct flame_choice choice;
    enum export_root root;
    struct cmd_options options;
};

static enum status read_option(void *of, size_t row, const char *text,
                               struct diagnostic *diagnostic)
{
    struct request *request = of;

    switch ((enum option_row)row) {
    case ROW_WEIGHT: return weight_read("flame", text, &request->choice.weight, diagnostic);
    case ROW_THREADS: request->root = EXPORT_BY_THREAD; break;
    case ROW_INVERTED: request->choice.is_inverted = true; break;
    case ROWS: break;
    }
    return STATUS_OK;
}

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
    export_stacks_init(&stacks, &session, request->root);
    status = draw(request, &stacks, diagnostic);
    export_stacks_fini(&stacks);
    session_close(&session);
    return status;
}

enum status cmd_flame(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct request request = {.choice = {EXPORT_WEIGHTS, false}};
    const struct own_options own = {"flame", rows, ROWS, read_option, &request};
    struct own_rest rest;
    enum status status = own_options_take(&own, argc, argv, &rest, diagnostic);

    if (!status)
        status = cmd_parse(&request.options, rest.count, rest.words, diagnostic);
    if (!status && request.options.is_help) {
        cmd_print_help("flame", "[OPTIONS] [TRACE]", help);
        own_options_print(&own);
    } else if (!status) {
        status = check(&request, diagnostic);
        if (!status)
            status = report(&request, diagnostic);
    }
    own_rest_free(&rest);
    return status;
}
