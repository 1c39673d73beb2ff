// POSIX_SPAWN_SETSID stands behind this on Linux.
#define _GNU_SOURCE 1
#include "CNcurses.h"

#include <CPty.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void cncurses_block_signal(int number, bool blocked) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void cncurses_set_default(int number) { signal(number, SIG_DFL); }

void cncurses_raise_default(int number, bool blocked_after) {
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigemptyset(&plain.sa_mask);
    sigaction(number, &plain, &before);
    cncurses_block_signal(number, false);
    raise(number);
    if (blocked_after) cncurses_block_signal(number, true);
    sigaction(number, &before, NULL);
}

pid_t cncurses_spawn(const char *const arguments[], bool detached, int input) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    if (posix_spawnattr_init(&attributes) != 0) return -ENOMEM;
    if (posix_spawn_file_actions_init(&files) != 0) {
        posix_spawnattr_destroy(&attributes);
        return -ENOMEM;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (detached) {
        flags |= POSIX_SPAWN_SETSID;
        if (input < 0) posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        else posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    // A view may have moved the descriptors of this process; its child gets the terminal.
    for (int number = 0; !detached && number < 3; number++)
        if (cpty_standard(number) != number) posix_spawn_file_actions_adddup2(&files, cpty_standard(number), number);
    posix_spawnattr_setflags(&attributes, flags);
    pid_t child = 0;
    int error = posix_spawnp(&child, arguments[0], &files, &attributes, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : -error;
}

int cncurses_wait(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

int cncurses_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
int cncurses_end_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
