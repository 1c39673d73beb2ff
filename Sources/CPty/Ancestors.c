// O_CLOEXEC is declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

/// What the system knows of a process.
struct facts {
    pid_t parent;
    bool is_stopped;
};

/// False where the process does not exist or can't be read.
static bool read_facts(pid_t process, struct facts *facts) {
#ifdef __APPLE__
    struct kinfo_proc found;
    size_t size = sizeof found;
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    if (sysctl(name, 4, &found, &size, NULL, 0) != 0 || size == 0) return false;
    *facts = (struct facts){found.kp_eproc.e_ppid, found.kp_proc.p_stat == SSTOP};
    return true;
#else
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = cpty_read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return false;
    text[count] = 0;
    // "PID (NAME) STATE PARENT …". The name may contain spaces and parentheses, and only numbers follow the state.
    char *end = strrchr(text, ')');
    if (!end || end[1] != ' ' || !end[2] || end[3] != ' ') return false;
    *facts = (struct facts){(pid_t)strtol(end + 4, NULL, 10), end[2] == 'T' || end[2] == 't'};
    return true;
#endif
}

static pid_t parent_of(pid_t process) {
    struct facts facts;
    return read_facts(process, &facts) ? facts.parent : 0;
}

bool cpty_is_stopped(pid_t process) {
    struct facts facts;
    return read_facts(process, &facts) && facts.is_stopped;
}

bool cpty_is_ancestor(pid_t process) {
    if (process <= 0) return false;
    pid_t ancestor = getppid();
    // A bound, because processes may end and their numbers be used again meanwhile.
    for (int depth = 0; ancestor > 0 && depth < 4096; depth++) {
        if (ancestor == process) return true;
        ancestor = parent_of(ancestor);
    }
    return false;
}
