/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: alternate exit|quick|execute|fail.  Leaves from a handler on a usual signal stack, with
 * the SIGSTKSZ of decades; touching the memory below it ends the program.  With `fail`, leaving
 * fails.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, USUAL = 8192, OWN = 1024, LEAST = 3400 /* of a processor with AVX-512 */ };

static const char *way;

static void on_signal(int number)
{
    volatile char own[OWN];

    for (int i = 0; i < OWN; i++)
        own[i] = (char)number;
    if (strcmp(way, "exit") == 0)
        _exit(own[0] + 3);
    if (strcmp(way, "quick") == 0)
        quick_exit(own[0] + 4);
    execl(strcmp(way, "execute") == 0 ? "/bin/true" : "/nonexistent", "true", (char *)NULL);
    own[OWN - 1] = 0;
}

/* The kernel's frame on it grows with the processor's registers. */
static size_t usual_size(void)
{
    size_t least = getauxval(AT_MINSIGSTKSZ);

    return least > LEAST ? USUAL + least - LEAST : USUAL;
}

int main(int count, char **arguments)
{
    size_t size = (usual_size() + PAGE - 1) / PAGE * PAGE;
    char *memory =
        mmap(NULL, PAGE + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = memory + PAGE, .ss_size = usual_size()};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

    way = arguments[count - 1];
    mprotect(memory, PAGE, PROT_NONE);
    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        return 1;
    free(malloc(100));
    raise(SIGUSR1);
    return 5;
}
