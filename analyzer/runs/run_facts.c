/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conditions of a run, so that a comparison notices different ones.
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

static void add_text_fact(struct run *run, const char *name, const char *value)
{
    if (value)
        run_add_fact(run, name, value);
}

static void add_command(struct run *run, const struct text_list *command)
{
    struct text words;

    text_init(&words);
    for (size_t i = 0; i < text_list_count(command); i++)
        text_appendf(&words, "%s%s", i ? " " : "", text_list_at(command, i));
    if (words.size > 0)
        run_add_fact(run, "command", words.bytes);
    text_fini(&words);
}

/* tprof's own variables differ between runs, and describe the place of the run, not its
 * behaviour. */
static bool is_steering(const char *variable)
{
    return strncmp(variable, "TPROF_", 6) != 0 && strncmp(variable, "LD_PRELOAD=", 11) != 0;
}

static void add_environment(struct run *run, const struct text_list *environment)
{
    for (size_t i = 0; i < text_list_count(environment); i++) {
        const char *variable = text_list_at(environment, i);
        size_t length = strcspn(variable, "=");
        char name[128];

        if (!is_steering(variable) || variable[length] == '\0')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, variable);
        run_add_fact(run, name, variable + length + 1);
    }
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

/* Adds only the libraries that did the work: the program itself is expected to differ, and all
 * libraries are too many. */
static void add_libraries(struct run *run, const struct session *session)
{
    for (size_t i = 0; i < session->modules.count; i++) {
        const struct session_module *module = session_module_at(session, i);
        const char *name = text_base_name(module->path);
        bool is_program = session->process.program && module->path &&
                          strcmp(module->path, session->process.program) == 0;

        if (!name || is_program || module->build_id[0] == '\0' ||
            !serves_kernels(session, module) || run_fact_value(run, name))
            continue;
        run_add_fact(run, name, module->build_id);
    }
}

static void add_count_fact(struct run *run, const char *name, uint64_t count)
{
    char value[24];

    if (count == SESSION_UNKNOWN)
        return;
    snprintf(value, sizeof value, "%llu", (unsigned long long)count);
    run_add_fact(run, name, value);
}

/* The load is another each time, and a cause of noise rather than of a difference. */
static void add_conditions(struct run *run, const struct session_process *process)
{
    static const char *const titles[] = {
#define CONDITION(id, key, title, help) [TRACE_CONDITION_##id] = title,
#include "spec/conditions.def"
#undef CONDITION
    };

    for (int i = 0; i < TRACE_CONDITIONS; i++)
        if (i != TRACE_CONDITION_LOAD)
            add_text_fact(run, titles[i], process->conditions[i]);
}

static void add_ending(struct run *run, const struct session_process *process)
{
    char value[40];

    switch (process->ending) {
    case SESSION_EXITED:
    case SESSION_QUIT:
        if (process->exit_status == SESSION_NO_STATUS)
            return;
        snprintf(value, sizeof value, "exit status %d", process->exit_status);
        break;
    case SESSION_SIGNALLED:
        snprintf(value, sizeof value, "killed by signal %d", process->signal);
        break;
    case SESSION_EXECUTED:
    case SESSION_SANDBOXED:
    case SESSION_YIELDED:
    case SESSION_UNSEEN: return;
    }
    run_add_fact(run, run_ending, value);
}

void run_add_facts(struct run *run, const struct session *session, unsigned warmup)
{
    const struct session_process *process = &session->process;

    add_command(run, &process->command);
    add_ending(run, process);
    add_count_fact(run, run_warmup_text.words, warmup);
    add_text_fact(run, "host", process->host);
    add_text_fact(run, "processor", process->cpu);
    add_count_fact(run, "processors allowed", process->cpu_count);
    add_text_fact(run, "operating system", process->kernel);
    add_text_fact(run, "allocations recorded", process->alloc_mode);
    add_text_fact(run, "allocator", text_base_name(process->allocator));
    add_conditions(run, process);
    add_environment(run, &process->environment);
    add_libraries(run, session);
}
