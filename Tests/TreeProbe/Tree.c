// Declares vfork.
#define _GNU_SOURCE 1
#include "TreeProbe.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { tick_time = 20, most_children = 4 };

static struct slot *slots, *own;
/// The pipe to the first child, and the one from the parent; -1 without.
static int to_child = -1, from_parent = -1;

struct slot *open_slots(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    size_t size = most_slots * sizeof(struct slot);
    if (file < 0 || ftruncate(file, (off_t)size) != 0) exit(1);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) exit(1);
    close(file);
    return memory;
}

/// A generator of random numbers (xorshift), so that a tree depends on its seed only.
static uint32_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

// MARK: Work

static void send_number(void) {
    struct pollfd probe = {.fd = to_child, .events = POLLOUT};
    if (to_child < 0 || poll(&probe, 1, 0) != 1 || !(probe.revents & POLLOUT)) return;
    uint64_t number = own->sent;
    if (write(to_child, &number, sizeof number) == sizeof number) own->sent++;
}

static void receive_numbers(void) {
    uint64_t number;
    if (from_parent < 0) return;
    while (read(from_parent, &number, sizeof number) == sizeof number) {
        if (number != own->received) own->errors++;
        own->received = number + 1;
    }
}

static void fork_once(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
}

static void *work(void *nothing) {
    own->pid = getpid();
    while (1) {
        own->ticks++;
        send_number();
        receive_numbers();
        if (own->kind == forking) fork_once();
        poll(NULL, 0, tick_time);
    }
    return nothing;
}

// MARK: Growth

static void become(enum kind kind) {
    if (kind == session) setsid();
    if (kind != stubborn) return;
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTSTP, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

/// The path of the shared file and of this program, for processes that run it again.
static const char *shared_path;

static _Noreturn void execute(uint64_t seed, int first, int last, int input) {
    char texts[4][24];
    snprintf(texts[0], sizeof texts[0], "%llu", (unsigned long long)seed);
    snprintf(texts[1], sizeof texts[1], "%d", first);
    snprintf(texts[2], sizeof texts[2], "%d", last);
    snprintf(texts[3], sizeof texts[3], "%d", input);
    execl("/proc/self/exe", "TreeProbe", "branch", shared_path, texts[0], texts[1], texts[2], texts[3], (char *)NULL);
    _exit(1);
}

static void start_child(uint64_t seed, enum kind kind, int first, int last, int input) {
    slots[first].kind = kind;
    pid_t child = kind == executed ? vfork() : fork();
    if (child != 0) {
        if (kind == daemon_twice) waitpid(child, NULL, 0);
        return;
    }
    if (kind == executed) execute(seed, first, last, input);
    if (to_child >= 0) close(to_child);
    to_child = -1;
    if (kind == daemon_twice) {
        setsid();
        if (fork() != 0) _exit(0);
    }
    become(kind);
    run_tree(shared_path, seed, first, last, input);
}

_Noreturn void run_tree(const char *path, uint64_t seed, int first, int last, int input) {
    shared_path = path;
    if (!slots) slots = open_slots(path);
    own = &slots[first];
    from_parent = input;
    uint64_t state = seed * 1000003 + (uint64_t)first + 1;
    for (int index = 0; index < 8; index++) next_random(&state);
    int branches = 1 + (int)(next_random(&state) % most_children), next = first + 1;
    for (int branch = 0; branch < branches && next < last; branch++) {
        int left = branches - branch, size = (last - next + left - 1) / left;
        if (left > 1 && size > 1) size = 1 + (int)(next_random(&state) % (uint32_t)(2 * size - 1));
        if (size > last - next) size = last - next;
        int ends[2] = {-1, -1};
        if (branch == 0 && pipe(ends) == 0) {
            fcntl(ends[0], F_SETFL, O_NONBLOCK);
            fcntl(ends[1], F_SETFD, FD_CLOEXEC);
            to_child = ends[1];
        }
        start_child(seed, (enum kind)(next_random(&state) % kind_count), next, next + size, ends[0]);
        if (ends[0] >= 0) close(ends[0]);
        next += size;
    }
    signal(SIGPIPE, SIG_IGN);
    if (own->kind != threaded) work(NULL);
    // The first thread ends, and another one works on: /proc shows a zombie.
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0) _exit(1);
    pthread_exit(NULL);
}
