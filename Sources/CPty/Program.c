// pthread_sigmask and socketpair's flags are declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int cpty_make_channel(int ends[2]) {
#ifdef __linux__
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int on = 1;
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    for (int index = 0; index < 2; index++) {
        if (ends[index] > 2) continue;
        int moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 3), error = errno;
        if (moved < 0) {
            close(ends[0]);
            close(ends[1]);
            return -error;
        }
        close(ends[index]);
        ends[index] = moved;
    }
    return 0;
}

static void fill(sigset_t *set, const int *numbers, int count) {
    sigemptyset(set);
    for (int index = 0; index < count; index++) sigaddset(set, numbers[index]);
}

static void dispose(struct cpty_monitor_start *start) {
    free(start->shell);
    free(start->kept);
}

static bool prepare(struct cpty_monitor_start *start, const struct cpty_program *program, int slave, int channel) {
    *start = (struct cpty_monitor_start){.program = program, .slave = slave, .channel = channel};
    fill(&start->ignored, program->ignored, program->ignored_count);
    fill(&start->blocked, program->blocked, program->blocked_count);
    long limit = sysconf(_SC_OPEN_MAX);
    start->descriptor_limit = limit < 0 || limit > 65536 ? 65536 : (int)limit;

    size_t count = 0;
    while (program->arguments[count]) count++;
    start->shell = calloc(count + 3, sizeof *start->shell);
    start->kept = calloc((size_t)program->descriptor_count + 2, sizeof *start->kept);
    if (!start->shell || !start->kept) {
        dispose(start);
        return false;
    }
    start->shell[0] = (char *)"/bin/sh";
    for (size_t index = 1; index < count; index++) start->shell[index + 1] = program->arguments[index];

    for (int index = 0; index < program->descriptor_count; index++) {
        // One that was closed since, whose number now belongs to a descriptor of this process.
        int flags = fcntl(program->descriptors[index], F_GETFD);
        if (flags >= 0 && !(flags & FD_CLOEXEC)) start->kept[start->kept_count++] = program->descriptors[index];
    }
    start->kept[start->kept_count++] = channel;
    if (program->control_group >= 0) start->kept[start->kept_count++] = program->control_group;
    qsort(start->kept, (size_t)start->kept_count, sizeof *start->kept, cpty_compare_numbers);
    return true;
}

static pid_t fork_warden(struct cpty_monitor_start *start) {
    // A handler of this process must not run in the child, where it would write to shared descriptors.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t warden = cpty_plain_fork();
    if (warden == 0) cpty_run_warden(start);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return warden < 0 ? -error : warden;
}

/// Reads the monitor's first report: its process, or the error number, negative.
static pid_t read_monitor(int channel) {
    struct cpty_report report;
    ssize_t count;
    while ((count = recv(channel, &report, sizeof report, MSG_WAITALL)) < 0 && errno == EINTR) {}
    return count == sizeof report && report.kind == cpty_watched ? report.value : -EAGAIN;
}

/// Forks the monitor and its parent, with a channel to the monitor. `slave` may be -1. Returns the monitor, or the error number, negative.
static pid_t open_monitor(const struct cpty_program *program, int slave, int *channel, pid_t *warden) {
    int ends[2];
    struct cpty_monitor_start start;
    int error = cpty_make_channel(ends);
    if (error != 0) return error;
    pid_t monitor = -ENOMEM;
    *warden = -1;
    if (prepare(&start, program, slave, ends[1])) {
        monitor = *warden = fork_warden(&start);
        dispose(&start);
    }
    close(ends[1]);
    if (*warden > 0) {
        monitor = read_monitor(ends[0]);
        if (monitor < 0) cpty_reap(*warden, -1);
    }
    if (monitor < 0) {
        close(ends[0]);
        return monitor;
    }
    *channel = ends[0];
    cpty_set_nonblocking(*channel);
    return monitor;
}

pid_t cpty_open(
    const struct cpty_program *program, const struct termios *modes, const struct cpty_size *size, int *master, int *channel,
    pid_t *warden
) {
    int slave;
    int error = cpty_open_pair(modes, size, master, &slave);
    if (error != 0) return error;
    pid_t monitor = open_monitor(program, slave, channel, warden);
    close(slave);
    if (monitor < 0) close(*master);
    else cpty_set_nonblocking(*master);
    return monitor;
}

pid_t cpty_open_plain(const struct cpty_program *program, int *channel, pid_t *warden) {
    return open_monitor(program, -1, channel, warden);
}

// MARK: The channel and the program's group

int cpty_command(int channel, char command) {
#ifdef MSG_NOSIGNAL
    int flags = MSG_NOSIGNAL;
#else
    int flags = 0;
#endif
    while (send(channel, &command, 1, flags) < 0)
        if (errno != EINTR) return -errno;
    return 0;
}

void cpty_reap(pid_t warden, pid_t monitor) {
    if (waitpid(warden, NULL, WNOHANG) == warden) return;
    // Stopped ones would never end.
    kill(warden, SIGCONT);
    if (monitor > 0) kill(monitor, SIGCONT);
    while (waitpid(warden, NULL, 0) < 0 && errno == EINTR) {}
}

int cpty_signal_group(pid_t group, int number) {
    if (group <= 1) return -ESRCH;
    return kill(-group, number) == 0 ? 0 : -errno;
}

pid_t cpty_foreground_group(int master) {
    pid_t group = tcgetpgrp(master);
    return group < 0 ? -errno : group;
}
