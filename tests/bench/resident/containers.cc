// SPDX-License-Identifier: GPL-3.0-or-later
//
// Containers of C++: vectors that double, maps of small nodes, strings.
#include <map>
#include <string>
#include <vector>

#include "moment.h"

int main()
{
    std::vector<std::vector<double>> rows;
    std::map<long, std::string> names;

    for (int i = 0; i < MOMENTS; i++) {
        {
            std::vector<double> row;

            for (int k = 0; k < 150000; k++)
                row.push_back(k);
            rows.push_back(row);
        }
        for (long k = 0; k < 20000; k++)
            names[i * 20000L + k] = std::string(40, 'x');
        /* nodes of 32 + 8 + 32 bytes, and texts of 41, for which malloc has 56 */
        moment_take(i, "heap", (i + 1) * (150000L * 8 + 20000L * (72 + 41)), "heap_usable",
                    (i + 1) * (150000L * 8 + 20000L * (72 + 56)), NULL);
    }
    return 0;
}
