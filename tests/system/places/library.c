/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library with a function that calls malloc from three places, with a name too long for a narrow
 * page: built without lines, so only offsets distinguish the calls.
 */
#include <stdlib.h>

enum { FIRST = 1000, SECOND = 2000, THIRD = 3000 };

void *kept_by_the_library_of_places[3];

void allocate_from_three_places_of_a_function_with_a_long_name(void);

#ifdef MORE
/* Another build, with more code. */
int more_code_of_the_library_of_places(int x);

int more_code_of_the_library_of_places(int x)
{
    for (int i = 0; i < x; i++)
        kept_by_the_library_of_places[i % 3] = NULL;
    return x;
}
#endif

void allocate_from_three_places_of_a_function_with_a_long_name(void)
{
    kept_by_the_library_of_places[0] = malloc(FIRST);
    kept_by_the_library_of_places[1] = malloc(SECOND);
    kept_by_the_library_of_places[2] = malloc(THIRD);
}
