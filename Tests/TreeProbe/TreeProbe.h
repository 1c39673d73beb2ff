// What the parts of the probe share.
#pragma once

#include <stdint.h>
#include <sys/types.h>

enum { most_slots = 512 };

/// What a process of a tree shows of itself in the shared file. The tests read the same layout.
struct slot {
    /// 0 until the process works.
    int32_t pid;
    /// One of `kind`.
    int32_t kind;
    /// Counts up while the process runs.
    uint64_t ticks;
    /// The numbers that it has sent to its first child, and received from its parent.
    uint64_t sent, received;
    /// The numbers that were lost or repeated on the way.
    uint64_t errors;
};

enum kind { plain, session, daemon_twice, stubborn, threaded, forking, executed, kind_count };

/// Maps the file of slots into this process.
struct slot *open_slots(const char *path);
/// Runs the process of the first slot of a range, which starts those of the rest below itself.
_Noreturn void run_tree(const char *path, uint64_t seed, int first, int last, int input);
/// Starts processes that fork and end, or fork on and on up to a limit.
_Noreturn void run_comets(const char *path, int count);
_Noreturn void run_bomb(const char *path, int limit);
/// Waits in vfork for a child that never runs a program.
_Noreturn void run_vfork(void);
/// A debugger with a program that ticks in the first slot.
_Noreturn void run_debugger(const char *path);
