// The start of the guarded program by the monitor.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

// Only async-signal-safe calls may stand in this file: another thread may have held any lock when the process was forked.

/// As execvp(3). Returns the error number.
static int execute(const struct cpty_monitor_start *start) {
    const struct cpty_program *program = start->program;
    int error = ENOENT;
    bool is_denied = false;
    for (char *const *path = program->paths; *path; path++) {
        execve(*path, program->arguments, program->environment);
        error = errno;
        if (error == ENOEXEC) {
            start->shell[1] = *path;
            execve("/bin/sh", start->shell, program->environment);
            return errno;
        }
        if (error == EACCES) is_denied = true;
        else if (error != ENOENT && error != ENOTDIR && error != ESTALE && error != ENODEV && error != ETIMEDOUT) return error;
    }
    return is_denied ? EACCES : error;
}

static _Noreturn void run_program(const struct cpty_monitor_start *start, int gate, bool in_foreground) {
    if (!start->program->shares_group) setpgid(0, 0);
    // SIGTTOU is still ignored, so a background process group may do this.
    if (start->slave >= 0 && in_foreground) tcsetpgrp(0, getpid());
    cpty_join_control_group(start);
    cpty_set_signals(&start->ignored, &start->blocked);
    // Without its mark the program would start itself again without end.
    int error = start->program->mark ? -cpty_write_mark(start->program->mark) : 0;
    if (error == 0) error = execute(start);
    while (write(gate, &error, sizeof error) < 0 && errno == EINTR) {}
    _exit(127);
}

pid_t cpty_start_program(const struct cpty_monitor_start *start, bool in_foreground) {
    int gate[2], error = 0;
    if (pipe(gate) != 0) cpty_fail_start(start->channel, errno);
    fcntl(gate[0], F_SETFD, FD_CLOEXEC);
    fcntl(gate[1], F_SETFD, FD_CLOEXEC);
    // A program in the background must be stopped when it reads, so another group is in the foreground.
    if (start->slave >= 0 && !in_foreground) tcsetpgrp(0, getpid());
    pid_t program = cpty_plain_fork();
    if (program == 0) run_program(start, gate[1], in_foreground);
    if (program < 0) cpty_fail_start(start->channel, errno);
    if (!start->program->shares_group) setpgid(program, program);
    close(gate[1]);
    ssize_t count;
    while ((count = read(gate[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    close(gate[0]);
    if (count != sizeof error) return program;
    waitpid(program, NULL, 0);
    cpty_fail_start(start->channel, error);
}
