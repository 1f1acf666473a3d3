/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a JSON file, by their keys: for proofs that read hundreds of reports.  jq takes longer
 * to start than such a report takes to write.
 *
 *     values FILE .KEY[.KEY]...
 *
 * Prints one line, with a value for each path: a text without quotes, others as JSON.  A key
 * that is missing is null.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *follow(json_t *value, char *path)
{
    for (char *key = strtok(path, "."); key; key = strtok(NULL, "."))
        value = json_object_get(value, key);
    return value;
}

static void print(const json_t *value, char end)
{
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

    printf("%s%c", json_is_string(value) ? json_string_value(value) : text ? text : "null", end);
    free(text);
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *file = argc > 2 ? json_load_file(argv[1], 0, &error) : NULL;

    if (!file) {
        fprintf(stderr, "values: %s\n", argc > 2 ? error.text : "values FILE .KEY[.KEY]...");
        return 1;
    }
    for (int i = 2; i < argc; i++)
        print(follow(file, argv[i]), i + 1 < argc ? ' ' : '\n');
    json_decref(file);
    return 0;
}
