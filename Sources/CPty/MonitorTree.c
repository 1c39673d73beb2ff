// The monitor and everything that the program has started.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// Only async-signal-safe calls may stand in this file: another thread may have held any lock when the process was forked.

void cpty_adopt_orphans(void) {
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

void cpty_join_control_group(const struct cpty_monitor_start *start) {
    if (start->program->control_group < 0) return;
    int error = cpty_write_file(start->program->control_group, "cgroup.procs", "0");
    if (error != 0) cpty_report_to_guard(start->channel, cpty_ungrouped, -error);
}

void cpty_reap_descendants(const struct cpty_monitor *monitor) {
    while (true) {
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
        if (info.si_pid == monitor->program && !monitor->is_reaped) return;
        waitpid(info.si_pid, NULL, 0);
    }
}

/// Removes the control group, which is empty by now. It fails if the program has made groups below it.
static void remove_control_group(const struct cpty_monitor *monitor) {
#ifdef __linux__
    char name[32] = "/proc/self/fd/", path[4096];
    if (monitor->control_group < 0 || monitor->control_group > 9) return;
    size_t length = strlen(name);
    name[length] = (char)('0' + monitor->control_group);
    ssize_t count = readlink(name, path, sizeof path - 1);
    if (count <= 0) return;
    path[count] = 0;
    rmdir(path);
#else
    (void)monitor;
#endif
}

_Noreturn void cpty_outlive_guard(struct cpty_monitor *monitor) {
    if (monitor->keeps_orphans) cpty_resume_descendants(getpid(), monitor->control_group);
    else cpty_end_descendants(getpid(), monitor->control_group, SIGHUP, cpty_orphan_grace);
    // The end of a session leader would hang up the group in the foreground.
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
    remove_control_group(monitor);
    _exit(0);
}
