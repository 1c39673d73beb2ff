// The system calls of Linux are declared only with this macro.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Only async-signal-safe calls may stand in this file, because the monitor uses it after a fork. mmap(2) is not on the list of
// POSIX, but takes no lock on Linux.

#ifdef __linux__

enum {
    /// How long this waits between two looks, in milliseconds.
    look_time = 10,
    /// How long processes are stopped before they are killed, and how long killed processes may take to end, in milliseconds.
    stop_time = 500,
    kill_time = 10000,
    /// The room of a list at first, and how much larger than needed the next one is.
    first_room = 1024,
    more_room = 256,
};

/// A list of descendants in memory of its own.
struct family {
    struct cpty_process *processes;
    int count;
    /// The room for all processes of the system, which the descendants are chosen from.
    struct cpty_entry *entries;
    int capacity;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool has_ended(const struct cpty_process *process) {
    return process->state == 'Z' || process->state == 'X' || process->state == 'x';
}

static size_t process_size(int capacity) { return (size_t)capacity * sizeof(struct cpty_process); }

static size_t whole_size(int capacity) { return process_size(capacity) + (size_t)capacity * sizeof(struct cpty_entry); }

static void discard(struct family *family) {
    if (family->processes) munmap(family->processes, whole_size(family->capacity));
    *family = (struct family){0};
}

static int make_room(struct family *family, int capacity) {
    if (capacity <= family->capacity) return 0;
    discard(family);
    char *memory = mmap(NULL, whole_size(capacity), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return -errno;
    family->processes = (struct cpty_process *)memory;
    family->entries = (struct cpty_entry *)(memory + process_size(capacity));
    family->capacity = capacity;
    return 0;
}

/// Lists the entries of all processes. Returns their number, or an error.
static int list_entries(struct family *family) {
    int count = first_room, error;
    do {
        if ((error = make_room(family, count + more_room)) != 0) return error;
        count = cpty_list_entries(family->entries, family->capacity);
    } while (count > family->capacity);
    return count;
}

/// Lists the descendants, after the ended children of this process were reaped. Returns how many are left, or an error.
static int look(pid_t root, struct family *family) {
    pid_t reaped;
    while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0) {}
    family->count = 0;
    // A process whose parent ends becomes a child of this one before the parent can be reaped. So without children there are
    // no descendants, also none that start others and end too fast for a list.
    if (reaped < 0 && errno == ECHILD) return 0;
    struct cpty_process own;
    int error = cpty_get_process(root, &own), count = error;
    if (error == 0) count = list_entries(family);
    if (count >= 0) count = cpty_read_processes(family->entries, count, family->processes);
    if (count < 0) return count;
    family->count = cpty_keep_descendants(family->processes, count, root);
    cpty_clear_shared_groups(family->processes, family->count, &own);
    int left = 0;
    for (int index = 0; index < family->count; index++) left += !has_ended(&family->processes[index]);
    return left > 0 ? left : 1;
}

static bool contains(const struct family *family, const struct cpty_process *process) {
    for (int index = 0; index < family->count; index++)
        if (family->processes[index].pid == process->pid && family->processes[index].start == process->start) return true;
    return false;
}

/// Sends a signal to every process of the first list that is not on the second. Returns how many got it.
static int signal_new(const struct family *family, const struct family *former, int number) {
    int sent = 0;
    for (int index = 0; index < family->count; index++) {
        const struct cpty_process *process = &family->processes[index];
        if (has_ended(process) || contains(former, process)) continue;
        if (cpty_signal_process(process->pid, process->start, number) == 0) sent++;
    }
    return sent;
}

/// Sends a signal to every process of the list and to their groups, so that a process that forks just now is not left out.
static int signal_all(const struct family *family, int number) {
    const struct family none = {0};
    for (int index = 0; index < family->count; index++) {
        const struct cpty_process *process = &family->processes[index];
        if (index > 0 && family->processes[index - 1].group == process->group) continue;
        cpty_signal_group_of(process->pid, process->start, process->group, number);
    }
    return signal_new(family, &none, number);
}

static void exchange(struct family *one, struct family *other) {
    struct family kept = *one;
    *one = *other;
    *other = kept;
}

/// Sends the signal to each process once, also to those that appear meanwhile, and waits for their end.
static int ask(pid_t root, int number, int grace, struct family *present, struct family *former) {
    int64_t deadline = now() + grace;
    while (true) {
        int64_t start = now();
        int left = look(root, present);
        if (left <= 0) return left;
        // A stopped process acts on its signal only after it is continued.
        if (signal_new(present, former, number) > 0) signal_new(present, former, SIGCONT);
        if (now() >= deadline) return left;
        exchange(present, former);
        // On a system with very many processes a look takes longer. At most a fifth of the time is used for it.
        int cost = (int)(now() - start);
        poll(NULL, 0, look_time > 4 * cost ? look_time : 4 * cost);
    }
}

/// Whether the first list has a living process that is not on the second.
static bool has_new(const struct family *family, const struct family *former) {
    for (int index = 0; index < family->count; index++)
        if (!has_ended(&family->processes[index]) && !contains(former, &family->processes[index])) return true;
    return false;
}

/// Stops all first, so that no process can fork faster than it is found, and kills them until none is left.
static int end_by_force(pid_t root, struct family *present, struct family *former) {
    int64_t start = now();
    bool is_killing = false;
    former->count = 0;
    while (true) {
        int left = look(root, present);
        if (left <= 0 || now() >= start + kill_time) return left;
        if (!is_killing && (!has_new(present, former) || now() >= start + stop_time)) is_killing = true;
        signal_all(present, is_killing ? SIGKILL : SIGSTOP);
        if (is_killing) poll(NULL, 0, 1);
        exchange(present, former);
    }
}

int cpty_end_descendants(pid_t root, int group, int number, int grace) {
    struct family present = {0}, former = {0};
    if (group >= 0) cpty_write_file(group, "cgroup.freeze", "0");
    int left = ask(root, number, grace, &present, &former);
    if (left > 0 && group >= 0) cpty_write_file(group, "cgroup.kill", "1");
    if (left > 0) left = end_by_force(root, &present, &former);
    discard(&present);
    discard(&former);
    return left;
}

int cpty_resume_descendants(pid_t root, int group) {
    struct family present = {0};
    if (group >= 0) cpty_write_file(group, "cgroup.freeze", "0");
    int left = look(root, &present);
    if (left > 0) signal_all(&present, SIGCONT);
    discard(&present);
    return left;
}

#else

int cpty_resume_descendants(pid_t root, int group) { return -ENOSYS; }

int cpty_end_descendants(pid_t root, int group, int number, int grace) { return -ENOSYS; }

#endif
