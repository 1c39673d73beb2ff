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

/// The parent of a process; 0 where there is none or it can't be read.
static pid_t parent_of(pid_t process) {
#ifdef __APPLE__
    struct kinfo_proc found;
    size_t size = sizeof found;
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    if (sysctl(name, 4, &found, &size, NULL, 0) != 0 || size == 0) return 0;
    return found.kp_eproc.e_ppid;
#else
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = cpty_read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    // "PID (NAME) STATE PARENT …". The name may contain spaces and parentheses, and only numbers follow the state.
    char *end = strrchr(text, ')');
    if (!end || end[1] != ' ' || !end[2] || end[3] != ' ') return 0;
    return (pid_t)strtol(end + 4, NULL, 10);
#endif
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
