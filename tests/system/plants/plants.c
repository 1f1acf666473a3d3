/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: planted NAME planted|repaired ROUNDS
 *
 * Prints the result, to three digits: in float it is the same as in double.
 */
#include "plants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

_Noreturn void plants_skip(const char *what)
{
    fprintf(stderr, "plants: %s\n", what);
    exit(SKIPPED);
}

static void *take(size_t size)
{
    void *memory = malloc(size);

    if (!memory) {
        fprintf(stderr, "plants: no memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static double number_at(size_t index)
{
    return 0.5 + 0.5 / (double)(1 + index % 13);
}

void plants_fill(double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = number_at(i);
}

float *plants_floats(size_t count)
{
    float *numbers = take(count * sizeof *numbers);

    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)number_at(i);
    return numbers;
}

double *plants_doubles(size_t count)
{
    double *numbers = take(count * sizeof *numbers);

    plants_fill(numbers, count);
    return numbers;
}

double plants_sum_floats(const float *numbers, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (double)numbers[i];
    return sum;
}

double plants_sum_doubles(const double *numbers, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum;
}

static const struct plant *find(const struct plant *plant, const char *name)
{
    while (plant->name && strcmp(plant->name, name) != 0)
        plant++;
    return plant->name ? plant : NULL;
}

int main(int count, char **arguments)
{
    const struct plant *const groups[] = {plants_of_products, plants_of_systems, plants_of_memory,
                                          plants_of_waits, plants_of_kept};
    const struct plant *plant = NULL;

    for (size_t i = 0; count == 4 && !plant && i < sizeof groups / sizeof *groups; i++)
        plant = find(groups[i], arguments[1]);
    if (!plant) {
        fprintf(stderr, "usage: planted NAME planted|repaired ROUNDS\n");
        return EXIT_FAILURE;
    }
    printf("%.3g\n", plant->run(strcmp(arguments[2], "planted") == 0, atoi(arguments[3])));
    return EXIT_SUCCESS;
}
