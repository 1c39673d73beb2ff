// What the two sides of the fork share. Not part of the module's interface.
#pragma once

#include "CPty.h"

/// What the monitor and the program need, made before the fork.
struct cpty_monitor_start {
    const struct cpty_program *program;
    sigset_t ignored, blocked;
    /// The arguments of a shell that runs a script without an interpreter line; the script's path is at index 1.
    char **shell;
    /// The descriptors above 2 that the monitor keeps until the program runs, in ascending order.
    int *kept;
    int kept_count;
    /// One more than the highest descriptor that may be open.
    int descriptor_limit;
    int slave, channel;
};

/// fork(2) that may be called while other threads hold locks, if the child only makes async-signal-safe calls.
pid_t cpty_plain_fork(void);

/// The life of the monitor, after the fork.
_Noreturn void cpty_run_monitor(const struct cpty_monitor_start *start);
