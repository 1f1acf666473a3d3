/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks from many kinds of frames, and the call chain of each according to libunwind: a line
 * "chain SIZE: ADDRESS ..." from the caller of the allocating function outwards.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { FIRST_SIZE = 1000000, STACK_BYTES = 65536, ROUNDS = 3, STEPS = 1000 };

#define NOINLINE __attribute__((noinline))
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")
/* Code that the compiler takes for different code at each place. */
#define PLACE(name) __asm__ volatile("# " #name : : : "memory")

static void *volatile last;
static size_t size = FIRST_SIZE;
static jmp_buf back;
static ucontext_t main_context, other_context;

void print_chain(void); /* called by code below that is not C */

/* The chain of the block that our caller allocated, from its caller outward. */
NOINLINE void print_chain(void)
{
    unw_context_t context;
    unw_cursor_t cursor;

    unw_getcontext(&context);
    unw_init_local(&cursor, &context);
    unw_step(&cursor);
    printf("chain %zu:", size++);
    while (unw_step(&cursor) > 0) {
        unw_word_t address;

        unw_get_reg(&cursor, UNW_REG_IP, &address);
        printf(" %lx", (unsigned long)address);
    }
    printf("\n");
}

static NOINLINE void allocate(void)
{
    last = malloc(size);
    free(last);
    print_chain();
    KEEP_FRAME();
}

static NOINLINE void recurse(int depth)
{
    if (depth <= 0)
        allocate();
    else
        recurse(depth - 1);
    KEEP_FRAME();
}

static NOINLINE void recurse_with_alloca(int depth, size_t bytes)
{
    char *room = alloca(bytes);

    memset(room, 1, bytes);
    last = room;
    if (depth <= 0)
        allocate();
    else
        recurse_with_alloca(depth - 1, bytes * 2 % 977 + 16);
    KEEP_FRAME();
}

/* Only the frame pointer shows where its caller's frame starts. */
static NOINLINE void reserve(size_t bytes, int depth)
{
    char *room = alloca(bytes);

    memset(room, 1, bytes);
    last = room;
    recurse(depth);
    KEEP_FRAME();
}

static NOINLINE void recurse_aligned(int depth)
{
    _Alignas(64) char room[256];

    memset(room, 1, sizeof room);
    last = room;
    if (depth <= 0)
        allocate();
    else
        recurse_aligned(depth - 1);
    KEEP_FRAME();
}

static NOINLINE void recurse_aligned_with_alloca(int depth, size_t bytes)
{
    _Alignas(64) char room[256];
    char *more = alloca(bytes);

    memset(room, 1, sizeof room);
    memset(more, 1, bytes);
    last = room;
    last = more;
    if (depth <= 0)
        allocate();
    else
        recurse_aligned_with_alloca(depth - 1, bytes + 48);
    KEEP_FRAME();
}

/* Similar paths: frames of the same sizes, from other places.  Their order repeats itself at first,
 * and later does not. */
static unsigned turns;

static NOINLINE void wander(int depth)
{
    unsigned turn = turns;

    turns = turns / 3 | turns << 29;
    if (depth <= 0) {
        allocate();
    } else if (turn % 3 == 0) {
        wander(depth - 1);
        PLACE(left);
    } else if (turn % 3 == 1) {
        wander(depth - 1);
        PLACE(middle);
    } else {
        wander(depth - 1);
        PLACE(right);
    }
    KEEP_FRAME();
}

static void wander_about(void)
{
    unsigned chance = 1;

    for (int i = 0; i < STEPS; i++) {
        if (i % 50 == 0)
            chance = (unsigned)i / 200 + 1;
        chance = chance * 1664525 + 1013904223;
        turns = chance;
        wander((int)(chance >> 24) % 14);
    }
}

static NOINLINE void allocate_here_or_there(bool here)
{
    if (here) {
        allocate();
        PLACE(here);
    } else {
        allocate();
        PLACE(there);
    }
}

/* One of a pair, or both. */
static NOINLINE void allocate_pair(bool first, bool second)
{
    if (first)
        recurse(0);
    if (second)
        recurse(0);
    KEEP_FRAME();
}

static NOINLINE void pass_on(bool first, bool second)
{
    allocate_pair(first, second);
    KEEP_FRAME();
}

static NOINLINE void pass_on_here_or_there(bool first, bool second, bool here)
{
    if (here) {
        pass_on(first, second);
        PLACE(here);
    } else {
        pass_on(first, second);
        PLACE(there);
    }
}

static NOINLINE void descend(int depth, bool here)
{
    if (depth > 0)
        descend(depth - 1, here);
    else
        allocate_here_or_there(here);
    KEEP_FRAME();
}

/* The successor of a chain comes again, and the next time a chain that differs in a single call:
 * the outermost, or the innermost of many. */
static NOINLINE void mislead(void)
{
    for (int i = 0; i < 5; i++) {
        bool usual = i % 5 != 4;

        for (int depth = 1; depth < 18; depth++) {
            recurse(1);
            descend(depth, usual);
            reserve(usual ? 64 : 160, depth);
            reserve(64, usual ? 3 : 2);
        }
        pass_on_here_or_there(true, usual, true);
        if (!usual)
            pass_on_here_or_there(false, true, false);
    }
}

#if defined(__x86_64__)
/* A function that saves and restores the frame pointer. */
#define FUNCTION(name, body)                                                                       \
    __asm__(".text\n"                                                                              \
            ".type " #name ", @function\n" #name ":\n"                                             \
            ".cfi_startproc\n"                                                                     \
            "push %rbp\n"                                                                          \
            ".cfi_def_cfa_offset 16\n"                                                             \
            ".cfi_offset rbp, -16\n" body "pop %rbp\n"                                             \
            ".cfi_def_cfa_offset 8\n"                                                              \
            ".cfi_restore rbp\n"                                                                   \
            "ret\n"                                                                                \
            ".cfi_endproc\n"                                                                       \
            ".size " #name ", . - " #name "\n")

/* Call a function with the address where the caller's frame pointer and the return address of this
 * call are saved. */
void pass_frame(void (*function)(void *frame));

/* Call a function from a frame that only its frame pointer shows: `frame` is such an address, and
 * the chain continues there. */
void enter_frame(void *frame, void (*function)(void));

/* Allocate and free in such a frame, and print its chain. */
void allocate_in_frame(void *frame, size_t bytes);

/* Call a function from a frame that stores its CFA, like functions that align their stack: the
 * chain continues there. */
void enter_below(void *cfa, void (*function)(void));

FUNCTION(pass_frame, "mov %rdi, %rax\n"
                     "mov %rsp, %rdi\n"
                     "call *%rax\n");
FUNCTION(enter_frame, "mov %rdi, %rbp\n"
                      ".cfi_def_cfa rbp, 16\n"
                      "call save_frame\n"
                      ".cfi_def_cfa rsp, 16\n");
FUNCTION(save_frame, "xor %ebp, %ebp\n"
                     "call *%rsi\n");
FUNCTION(allocate_in_frame, "mov %rdi, %rbp\n"
                            ".cfi_def_cfa rbp, 16\n"
                            "mov %rsi, %rdi\n"
                            "call malloc@PLT\n"
                            "mov %rax, %rdi\n"
                            "call free@PLT\n"
                            "call print_chain\n"
                            ".cfi_def_cfa rsp, 16\n");
FUNCTION(enter_below, "push -16(%rdi)\n"
                      "mov %rsp, %rbp\n"
                      "sub $40, %rsp\n"
                      "mov %rdi, -40(%rbp)\n"
                      ".cfi_escape 0x0f, 3, 0x76, 0x58, 6\n" /* CFA: *(rbp - 40) */
                      ".cfi_escape 0x10, 6, 2, 0x76, 0\n"    /* rbp: at rbp */
                      "call save_frame\n"
                      "lea 8(%rbp), %rsp\n"
                      ".cfi_def_cfa rsp, 16\n"
                      ".cfi_offset rbp, -16\n");

/* The contents at such an address. */
enum { FRAME_BYTES = 16 };

static void *outer_frame;

/* All return addresses stay unchanged; only the frame pointer, saved or in its register, or the
 * stored CFA shows which of them are on the chain. */
static void enter_either(void *frame)
{
    for (int i = 0; i < 24; i++) {
        enter_frame(i % 6 == 5 ? outer_frame : frame, allocate);
        if (i / 6 % 2 == 0)
            recurse(1);
    }
    for (int i = 0; i < 24; i++) {
        allocate_in_frame(i % 6 == 5 ? outer_frame : frame, size);
        if (i / 6 % 2 == 0)
            recurse(1);
    }
    for (int i = 0; i < 24; i++) {
        enter_below((char *)(i % 6 == 5 ? outer_frame : frame) + FRAME_BYTES, allocate);
        if (i / 6 % 2 == 0)
            recurse(1);
    }
    KEEP_FRAME();
}

static void pass_on_frame(void *frame)
{
    outer_frame = frame;
    pass_frame(enter_either);
    KEEP_FRAME();
}

static NOINLINE void enter_frames(void)
{
    pass_frame(pass_on_frame);
    KEEP_FRAME();
}
#else
static void enter_frames(void)
{
}
#endif

static int compare(const void *left, const void *right)
{
    static int calls;

    if (++calls % 7 == 0)
        allocate();
    return *(const int *)left - *(const int *)right;
}

static void call_back(void)
{
    int numbers[30];

    for (int i = 0; i < 30; i++)
        numbers[i] = i * 7919 % 31;
    qsort(numbers, 30, sizeof *numbers, compare);
}

static void on_signal(int number)
{
    (void)number;
    recurse(3);
}

static void handle_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};

    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
}

static void run_other(void)
{
    recurse(4);
    swapcontext(&other_context, &main_context);
    recurse_with_alloca(3, 50);
}

/* The stack is gone when the next chain is taken. */
static void switch_stacks(void)
{
    void *stack =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    getcontext(&other_context);
    other_context.uc_stack.ss_sp = stack;
    other_context.uc_stack.ss_size = STACK_BYTES;
    other_context.uc_link = &main_context;
    makecontext(&other_context, run_other, 0);
    swapcontext(&main_context, &other_context);
    recurse(2);
    swapcontext(&main_context, &other_context);
    munmap(stack, STACK_BYTES);
    recurse(1);
}

static NOINLINE void jump(int depth)
{
    if (depth > 0)
        jump(depth - 1);
    else if (last)
        longjmp(back, 1);
    KEEP_FRAME();
}

static void *run_thread(void *unused)
{
    recurse(5);
    recurse_with_alloca(2, 100);
    recurse_aligned(3);
    return unused;
}

static void run_all(void)
{
    pthread_t thread;

    for (int i = 0; i < 12; i++) {
        recurse(i % 5);
        recurse_with_alloca(i % 4, 16 + (size_t)i * 40);
        recurse_aligned(i % 3);
        recurse_aligned_with_alloca(i % 4, 32 + 16 * (size_t)i);
    }
    call_back();
    handle_signals();
    pthread_create(&thread, NULL, run_thread, NULL);
    pthread_join(thread, NULL);
    switch_stacks();
    if (setjmp(back) == 0)
        jump(9);
    recurse(2);
    recurse(230);
    recurse(3);
    wander_about();
    mislead();
    enter_frames();
}

int main(void)
{
    for (int i = 0; i < ROUNDS; i++)
        run_all();
    return 0;
}
