/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of plants: well-known costs and their repaired twins, which print the same.
 *
 * usage: FAMILY NAME planted|repaired ROUNDS
 */
#ifndef COSTS_PLANTS_H
#define COSTS_PLANTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plant {
    const char *name;
    long (*planted)(long rounds), (*repaired)(long rounds);
};

#define PLANT(name)                                                                                \
    {                                                                                              \
#name, name##_planted, name##_repaired                                                     \
    }

static int run_plant(const struct plant *plants, size_t count, int argc, char **argv)
{
    for (size_t i = 0; argc == 4 && i < count; i++)
        if (strcmp(argv[1], plants[i].name) == 0) {
            const int is_planted = strcmp(argv[2], "planted") == 0;

            printf("%ld\n", (is_planted ? plants[i].planted : plants[i].repaired)(atol(argv[3])));
            return 0;
        }
    return 2;
}

#define RUN_PLANTS(plants, argc, argv)                                                             \
    run_plant(plants, sizeof(plants) / sizeof *(plants), argc, argv)

#endif
