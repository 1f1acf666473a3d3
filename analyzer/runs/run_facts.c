/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run was made under, so that runs under other conditions are not compared unseen.
 */
#include "runs/run_facts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "runs/texts.h"

static enum status add_text_fact(struct run *run, const char *name, const char *value)
{
    return value ? run_add_fact(run, name, value) : STATUS_OK;
}

static enum status add_command(struct run *run, const struct text_list *command)
{
    struct text words;
    enum status status;

    text_init(&words);
    for (size_t i = 0; i < text_list_count(command); i++)
        text_appendf(&words, "%s%s", i ? " " : "", text_list_at(command, i));
    status = text_status(&words);
    if (!status && words.size > 0)
        status = run_add_fact(run, "command", words.bytes);
    text_fini(&words);
    return status;
}

/* Ours differ from run to run, and say where we are and not how it ran. */
static bool is_steering(const char *variable)
{
    return strncmp(variable, "TPROF_", 6) != 0 && strncmp(variable, "LD_PRELOAD=", 11) != 0;
}

static enum status add_environment(struct run *run, const struct text_list *environment)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < text_list_count(environment) && !status; i++) {
        const char *variable = text_list_at(environment, i);
        size_t length = strcspn(variable, "=");
        char name[128];

        if (!is_steering(variable) || variable[length] == '\0')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, variable);
        status = run_add_fact(run, name, variable + length + 1);
    }
    return status;
}

static bool serves_kernels(const struct session *session, const struct session_module *module)
{
    for (size_t i = 0; i < session->bindings.count; i++) {
        const struct session_binding *binding = session_binding_at(session, i);

        if (binding->module == module && binding->calls > 0)
            return true;
    }
    return false;
}

/* Of the libraries those that did the work: the program itself is what is expected to
 * differ, and the rest is too much to tell. */
static enum status add_libraries(struct run *run, const struct session *session)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < session->modules.count && !status; i++) {
        const struct session_module *module = session_module_at(session, i);
        const char *name = text_base_name(module->path);
        bool is_program = session->process.program && module->path &&
                          strcmp(module->path, session->process.program) == 0;

        if (!name || is_program || module->build_id[0] == '\0' ||
            !serves_kernels(session, module) || run_fact_value(run, name))
            continue;
        status = run_add_fact(run, name, module->build_id);
    }
    return status;
}

static enum status add_count_fact(struct run *run, const char *name, uint64_t count)
{
    char value[24];

    if (count == SESSION_UNKNOWN)
        return STATUS_OK;
    snprintf(value, sizeof value, "%llu", (unsigned long long)count);
    return run_add_fact(run, name, value);
}

/* The load is another each time, and a cause of noise rather than of a difference. */
static enum status add_conditions(struct run *run, const struct session_process *process)
{
    static const char *const titles[] = {
#define CONDITION(id, key, title, help) [TRACE_CONDITION_##id] = title,
#include "spec/conditions.def"
#undef CONDITION
    };
    enum status status = STATUS_OK;

    for (int i = 0; i < TRACE_CONDITIONS && !status; i++)
        if (i != TRACE_CONDITION_LOAD)
            status = add_text_fact(run, titles[i], process->conditions[i]);
    return status;
}

static enum status add_ending(struct run *run, const struct session_process *process)
{
    char value[40];

    switch (process->ending) {
    case SESSION_EXITED:
    case SESSION_QUIT:
        if (process->exit_status == SESSION_NO_STATUS)
            return STATUS_OK;
        snprintf(value, sizeof value, "exit status %d", process->exit_status);
        break;
    case SESSION_SIGNALLED:
        snprintf(value, sizeof value, "killed by signal %d", process->signal);
        break;
    case SESSION_EXECUTED:
    case SESSION_SANDBOXED:
    case SESSION_YIELDED:
    case SESSION_UNSEEN: return STATUS_OK;
    }
    return run_add_fact(run, run_ending, value);
}

enum status run_add_facts(struct run *run, const struct session *session, unsigned warmup)
{
    const struct session_process *process = &session->process;
    enum status status = add_command(run, &process->command);

    if (!status)
        status = add_ending(run, process);
    if (!status)
        status = add_count_fact(run, run_warmup_text.words, warmup);
    if (!status)
        status = add_text_fact(run, "host", process->host);
    if (!status)
        status = add_text_fact(run, "processor", process->cpu);
    if (!status)
        status = add_count_fact(run, "processors allowed", process->cpu_count);
    if (!status)
        status = add_text_fact(run, "operating system", process->kernel);
    if (!status)
        status = add_text_fact(run, "allocations recorded", process->alloc_mode);
    if (!status)
        status = add_text_fact(run, "allocator", text_base_name(process->allocator));
    if (!status)
        status = add_conditions(run, process);
    if (!status)
        status = add_environment(run, &process->environment);
    return status ? status : add_libraries(run, session);
}
