/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread sleeps in usleep() three times, while the kernel refuses a sandbox that the first thread
 * requests.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { LONG_US = 200000, SHORT_US = 50000 };

static void *doze(void *unused)
{
    for (int i = 0; i < 3; i++)
        usleep(LONG_US);
    return unused;
}

int main(void)
{
    struct sock_fprog nothing = {0, NULL};
    pthread_t thread;
    int refused = 0;

    pthread_create(&thread, NULL, doze, NULL);
    usleep(SHORT_US);
    refused = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &nothing) != 0;
    pthread_join(thread, NULL);
    printf("refused %d\n", refused);
    return 0;
}
