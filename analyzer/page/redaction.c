/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments and environments hold tokens, names of people and of data.
 */
#include "page/redaction.h"

#include <string.h>

#include "base/text.h"
#include "page/texts.h"

static void hide_arguments(struct text_list *list, const struct text_list *command)
{
    size_t count = text_list_count(command);
    struct text line;

    if (count > 0)
        text_list_add(list, text_base_name(text_list_at(command, 0)));
    text_init(&line);
    if (count > 1)
        say_part(&line, page_arguments_text, said_count(count - 1));
    text_list_take(list, &line);
}

/* Such as OPENBLAS_NUM_THREADS=4. */
static bool is_harmless(const char *variable, const char *value)
{
    return strstr(variable, "_NUM_THREADS=") && strspn(value, "0123456789,") == strlen(value);
}

static void hide_value(struct text_list *list, const char *variable)
{
    const char *value = strchr(variable, '=');
    size_t size = value ? (size_t)(value - variable) : strlen(variable);

    if (value && is_harmless(variable, value + 1)) {
        text_list_add(list, variable);
        return;
    }
    text_list_addf(list, "%.*s=(hidden)", (int)size, variable);
}

static void hide_values(struct text_list *list, const struct text_list *environment)
{
    for (size_t i = 0; i < text_list_count(environment); i++)
        hide_value(list, text_list_at(environment, i));
}

void redaction_init(struct redaction *redaction, const struct session *session)
{
    const struct session_process *process = &session->process;

    redaction->session = *session;
    text_list_init(&redaction->command);
    text_list_init(&redaction->environment);
    hide_arguments(&redaction->command, &process->command);
    hide_values(&redaction->environment, &process->environment);
    redaction->session.process.command = redaction->command;
    redaction->session.process.environment = redaction->environment;
    redaction->session.path = text_base_name(session->path);
}

