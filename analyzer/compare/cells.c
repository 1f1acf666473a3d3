/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of comparisons.
 */
#include "compare/cells.h"

#include <math.h>

#include "document/table.h"

void cells_set_number(struct value *value, enum run_quantity quantity, double number)
{
    enum unit unit = run_quantity_at(quantity)->unit;

    if (unit == UNIT_REAL || unit == UNIT_PER_SECOND)
        value_set_real(value, number);
    else
        value_set_count(value, roundl((long double)number));
}

void cells_set_line(struct value *value, struct text *line)
{
    value_set_text(value, line->bytes);
    text_fini(line);
}
