#ifdef __linux__
// Declares vfork.
#define _GNU_SOURCE 1
#include "TreeProbe.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn void run_comets(const char *path, int count) {
    struct slot *slots = open_slots(path);
    signal(SIGCHLD, SIG_IGN);
    for (int index = 0; index < count; index++) {
        if (fork() != 0) continue;
        // Each process starts the next one and ends. The limit protects the machine.
        while (slots[index].ticks < 20000) {
            slots[index].ticks++;
            slots[index].pid = getpid();
            if (fork() > 0) _exit(0);
            usleep(1000);
        }
        _exit(0);
    }
    while (1) pause();
}

_Noreturn void run_bomb(const char *path, int limit) {
    struct slot *slots = open_slots(path);
    slots[0].pid = getpid();
    signal(SIGTERM, SIG_IGN);
    while (1) {
        // A limit on all processes that were ever started protects the machine.
        if (__atomic_add_fetch(&slots[0].ticks, 1, __ATOMIC_SEQ_CST) < (uint64_t)limit && fork() == 0) continue;
        usleep(1000);
    }
}

_Noreturn void run_vfork(void) {
    if (vfork() == 0) {
        while (1) pause();
    }
    _exit(0);
}

_Noreturn void run_debugger(const char *path) {
    struct slot *slots = open_slots(path);
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        slots[0].pid = getpid();
        while (1) {
            slots[0].ticks++;
            usleep(5000);
        }
    }
    int status;
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        slots[1].ticks++;
        ptrace(PTRACE_CONT, child, NULL, (void *)(long)WSTOPSIG(status));
    }
    _exit(0);
}

#endif
