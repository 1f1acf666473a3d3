/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program with a plugin: program PLUGIN deep|plain now|lazy TURNS.
 *
 * Each frees the other's blocks, sizes make addresses recur, and some blocks are kept.  It prints
 * the blocks that the plugin kept.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    void *(*obtain)(size_t size);
    void *(*grow)(void *block, size_t size);
    void *(*map)(size_t size);
    void (*give_back)(void *block);
};

static struct plugin open_plugin(const char *path, int mode)
{
    void *handle = dlopen(path, mode);

    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return (struct plugin){dlsym(handle, "plugin_obtain"), dlsym(handle, "plugin_grow"),
                           dlsym(handle, "plugin_map"), dlsym(handle, "plugin_give_back")};
}

/* A plugin that cannot grow a block has a heap of its own. */
static void exchange(const struct plugin *plugin, char *of_program, char *of_plugin)
{
    plugin->give_back(plugin->grow ? of_program : of_plugin);
    free(plugin->grow ? of_plugin : of_program);
}

/* Returns: the bytes that are kept. */
static size_t turn(const struct plugin *plugin, unsigned number)
{
    char *of_program = malloc(1000 + number % 7);
    char *of_plugin = plugin->obtain(1000 + number % 7);
    char *kept = plugin->obtain(3000 + number % 2);

    strcpy(of_program, number % 3 ? "x" : "longer");
    strcpy(of_plugin, "x");
    kept[0] = 1;
    exchange(plugin, of_program, of_plugin);
    if (number % 10 == 0 && plugin->grow) {
        kept = plugin->grow(kept, 5000);
        kept[4999] = 1;
        return 5000;
    }
    return 3000 + number % 2;
}

int main(int count, char **arguments)
{
    int mode = RTLD_LOCAL;
    struct plugin plugin;
    size_t kept = 0;

    if (count != 5)
        return 2;
    mode |= strcmp(arguments[2], "deep") == 0 ? RTLD_DEEPBIND : 0;
    mode |= strcmp(arguments[3], "now") == 0 ? RTLD_NOW : RTLD_LAZY;
    plugin = open_plugin(arguments[1], mode);
    for (int i = 0; i < atoi(arguments[4]); i++)
        kept += turn(&plugin, (unsigned)i);
    if (plugin.map)
        plugin.map(65536);
    printf("kept %zu\n", kept);
    return 0;
}
