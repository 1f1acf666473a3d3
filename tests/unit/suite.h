/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of every suite of unit tests.
 */
#ifndef UNIT_SUITE_H
#define UNIT_SUITE_H

#include <check.h>

#include "base/pool.h"

/* Run a suite, as the environment asks (CK_VERBOSITY, CK_TAP_LOG_FILE_NAME).
 * Returns: the exit status of its program. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* The same for suites of analyses, whose arrays and texts are of the pool of their caller. */
static inline int suite_run_in_pool(Suite *suite)
{
    struct pool pool;
    int failed;

    pool_enter(&pool);
    failed = suite_run(suite);
    pool_leave(&pool);
    return failed;
}

/* The suites that share a program.  Returns: as suite_run. */
#define SUITE(name) int check_##name(void);
#include "suites.def"
#undef SUITE

#endif
