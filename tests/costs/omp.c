/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of OpenMP, and their repaired twins, which print the same.
 *
 * usage: omp NAME planted|repaired ROUNDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long critical_planted(long rounds)
{
    long sum = 0;

#pragma omp parallel for num_threads(2)
    for (long i = 0; i < rounds; i++) {
        long part = i % 17;
#pragma omp critical
        sum += part;
    }
    return sum;
}

static long critical_repaired(long rounds)
{
    long sum = 0;

#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (long i = 0; i < rounds; i++) {
        long part = i % 17;

        sum += part;
    }
    return sum;
}

static const struct {
    const char *name;
    long (*planted)(long), (*repaired)(long);
} costs[] = {{"critical", critical_planted, critical_repaired}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 4 && i < sizeof costs / sizeof *costs; i++)
        if (strcmp(costs[i].name, argv[1]) == 0) {
            int is_planted = strcmp(argv[2], "planted") == 0;

            printf("%ld\n", (is_planted ? costs[i].planted : costs[i].repaired)(atol(argv[3])));
            return EXIT_SUCCESS;
        }
    return 2;
}
