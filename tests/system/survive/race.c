/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: race return|_exit.  Two threads add to one number without a lock.  ThreadSanitizer reports
 * it, and sets its own exit status.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int number;

static void *add(void *unused)
{
    void *volatile block = malloc(10);

    number++;
    free(block);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (fork() == 0)
        _exit(0);
    wait(NULL);
    if (strcmp(arguments[count - 1], "_exit") == 0)
        _exit(0);
    return 0;
}
