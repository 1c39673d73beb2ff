// A monitor and trees of processes for the tests of the guard's process tree.
//
// TreeProbe reap GROUP GRACE PROGRAM ARGUMENT…   starts a program as the reaper of all its descendants. GROUP is the folder of
//     the control group that it enters, or "-". On SIGUSR1 it ends them with GRACE milliseconds of time, prints how many are
//     left, and exits.
// TreeProbe tree FILE SEED COUNT                 a tree of COUNT processes of all kinds
// TreeProbe comets FILE COUNT | bomb FILE LIMIT | vfork | debugger FILE
#ifdef __linux__
#define _GNU_SOURCE 1
#include "TreeProbe.h"

#include <CPty.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void do_nothing(int number) { (void)number; }

static _Noreturn void run_program(const char *group, char **command) {
    // Its groups have no processes of the tests then.
    setsid();
    if (strcmp(group, "-") != 0) {
        int folder = open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        int error = cpty_write_file(folder, "cgroup.procs", "0");
        if (error != 0) {
            fprintf(stderr, "can't enter %s: %s\n", group, strerror(-error));
            _exit(1);
        }
    }
    execvp(command[0], command);
    _exit(127);
}

static _Noreturn void reap(const char *group, int grace, char **command) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGUSR1, do_nothing);
    signal(SIGCHLD, do_nothing);
    sigset_t awaited, before;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR1);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    pid_t program = fork();
    if (program == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        run_program(group, command);
    }
    printf("program %d\n", program);
    fflush(stdout);
    int number = 0;
    while (sigwait(&awaited, &number) == 0 && number != SIGUSR1)
        while (waitpid(-1, NULL, WNOHANG) > 0) {}
    int folder = strcmp(group, "-") == 0 ? -1 : open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    printf("left %d\n", cpty_end_descendants(getpid(), folder, SIGHUP, grace));
    exit(0);
}

int main(int count, char **texts) {
    const char *name = count > 1 ? texts[1] : "";
    if (strcmp(name, "reap") == 0 && count > 4) reap(texts[2], atoi(texts[3]), texts + 4);
    if (strcmp(name, "tree") == 0 && count == 5) run_tree(texts[2], strtoull(texts[3], NULL, 10), 0, atoi(texts[4]), -1);
    if (strcmp(name, "branch") == 0 && count == 7)
        run_tree(texts[2], strtoull(texts[3], NULL, 10), atoi(texts[4]), atoi(texts[5]), atoi(texts[6]));
    if (strcmp(name, "comets") == 0 && count == 4) run_comets(texts[2], atoi(texts[3]));
    if (strcmp(name, "bomb") == 0 && count == 4) run_bomb(texts[2], atoi(texts[3]));
    if (strcmp(name, "debugger") == 0 && count == 3) run_debugger(texts[2]);
    if (strcmp(name, "vfork") == 0) run_vfork();
    fprintf(stderr, "usage: TreeProbe reap | tree | comets | bomb | debugger | vfork …\n");
    return 2;
}

#else

int main(void) { return 2; }

#endif
