/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for processes of a job: all Python programs have the program python.
 */
#include "runs/process_words.h"

#include <stdbool.h>
#include <string.h>

#include "model/session_process.h"

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "from multiprocessing.spawn import spawn_main; ...": the form of workers that Python's own
 * library starts. */
static void append_code(struct text *text, const char *code)
{
    static const char from[] = "from multiprocessing.";

    if (begins_with(code, from))
        text_append_bytes(text, code + strlen("from "), strcspn(code + strlen("from "), " "));
}

/* Options that take the next word. */
static bool takes_word(const char *option)
{
    return strcmp(option, "-X") == 0 || strcmp(option, "-W") == 0;
}

static void append_script(struct text *text, const struct text_list *command)
{
    for (size_t i = 1; i < text_list_count(command); i++) {
        const char *word = text_list_at(command, i);
        const char *next = i + 1 < text_list_count(command) ? text_list_at(command, i + 1) : "";

        if (strcmp(word, "-m") == 0) {
            text_append(text, next);
            return;
        }
        if (strcmp(word, "-c") == 0) {
            append_code(text, next);
            return;
        }
        if (word[0] != '-') {
            text_append(text, text_base_name(word));
            return;
        }
        i += takes_word(word);
    }
}

void process_words_append(struct text *text, const struct session_process *process)
{
    const char *name = process->name ? process->name : "(unnamed)";
    size_t size = text->size;

    if (!process->is_named && begins_with(name, "python"))
        append_script(text, &process->command);
    if (text->size == size)
        text_append(text, name);
}
