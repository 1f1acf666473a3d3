/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distance of two words is the least number of edits: add, leave out or replace a letter, or
 * swap two neighbours.  Each letter is touched once (optimal string alignment).
 */
#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 32, FARTHEST = 3, LEAST_BEGINNING = 3 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Rows of the table of distances between beginnings: the row of this letter of `typed`, and the
 * rows of the two letters before it. */
static void fill_row(size_t rows[3][LONGEST + 1], const char *typed, size_t i, const char *word)
{
    size_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];

    row[0] = i;
    for (size_t j = 1; word[j - 1]; j++) {
        row[j] = least(before[j], row[j - 1]) + 1;
        row[j] = least(row[j], before[j - 1] + (typed[i - 1] != word[j - 1]));
        if (i > 1 && j > 1 && typed[i - 1] == word[j - 2] && typed[i - 2] == word[j - 1])
            row[j] = least(row[j], second[j - 2] + 1);
    }
}

/* Both words have at most LONGEST letters. */
static size_t measure(const char *typed, const char *word)
{
    size_t rows[3][LONGEST + 1], size = strlen(typed);

    for (size_t j = 0; j <= LONGEST; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= size; i++)
        fill_row(rows, typed, i, word);
    return rows[size % 3][strlen(word)];
}

void nearest_offer(struct nearest *nearest, const char *word)
{
    size_t size = strlen(nearest->typed), distance;

    if (size > LONGEST || strlen(word) > LONGEST)
        return;
    distance = measure(nearest->typed, word);
    if (size >= LEAST_BEGINNING && strncmp(word, nearest->typed, size) == 0)
        distance = least(distance, 1);
    if (distance > least((size + 1) / 3, FARTHEST) ||
        (nearest->word && distance >= nearest->distance))
        return;
    nearest->word = word;
    nearest->distance = distance;
}
