// The system calls of Linux are declared only with this macro.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

// Only async-signal-safe calls may stand in this file, because the monitor uses it after a fork.

ssize_t cpty_read_file(int folder, const char *path, char *text, size_t room) {
    int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    size_t filled = 0;
    ssize_t count = 0;
    while (filled + 1 < room && (count = cpty_read(file, text + filled, room - 1 - filled)) > 0) filled += (size_t)count;
    close(file);
    if (count < 0) return count;
    text[filled] = 0;
    return (ssize_t)filled;
}

int cpty_write_file(int folder, const char *path, const char *text) {
    int file = openat(folder, path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    ssize_t count = cpty_write(file, text, strlen(text));
    close(file);
    return count < 0 ? (int)count : 0;
}

int cpty_keep_descendants(struct cpty_process *processes, int count, pid_t root) {
    int kept = 0;
    // The kept ones stand in front. Each of them, and before them the root, is looked for as a parent once.
    for (int index = -1; index < kept; index++) {
        pid_t parent = index < 0 ? root : processes[index].pid;
        for (int other = kept; other < count; other++) {
            if (processes[other].parent != parent || processes[other].pid == root) continue;
            struct cpty_process found = processes[other];
            processes[other] = processes[kept];
            processes[kept++] = found;
        }
    }
    return kept;
}

void cpty_clear_shared_groups(struct cpty_process *descendants, int count, const struct cpty_process *root) {
    for (int index = 0; index < count; index++) {
        struct cpty_process *process = &descendants[index];
        bool is_root_session = process->session == root->session;
        if (is_root_session && (root->session != root->pid || process->group == root->group)) process->group = 0;
    }
}

#ifdef __linux__

/// The room for the first fields of /proc/PID/stat, up to the start time.
enum { stat_room = 1024, entries_room = 8192 };

// MARK: Paths

/// Appends a number to a path, and returns the new end.
static char *append_number(char *end, long number) {
    char digits[24];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0) *end++ = digits[--count];
    *end = 0;
    return end;
}

static char *append_text(char *end, const char *text) {
    while (*text) *end++ = *text++;
    *end = 0;
    return end;
}

/// The number that a text begins with; 0 without a digit.
static uint64_t number_at(const char *text) {
    uint64_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (uint64_t)(*text - '0');
    return number;
}

/// Opens /proc, if it belongs to the process namespace of this process.
static int open_proc(void) {
    char own[24] = {0};
    if (readlink("/proc/self", own, sizeof own - 1) <= 0) return -ENOSYS;
    if (number_at(own) != (uint64_t)getpid()) return -ENOSYS;
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return proc < 0 ? -errno : proc;
}

// MARK: Facts

/// The `number`th field after the name, which is field 2; NULL if there are fewer.
static const char *field(const char *after_name, int number) {
    const char *text = after_name;
    for (int index = 3; *text; index++) {
        while (*text == ' ') text++;
        if (index == number) return *text ? text : NULL;
        while (*text && *text != ' ') text++;
    }
    return NULL;
}

/// Reads "PID (NAME) STATE PARENT …". The name may contain anything, also parentheses and line ends; only numbers follow the
/// state.
static bool parse(const char *text, struct cpty_process *process) {
    const char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name || !end || end < name) return false;
    const char *state = field(end + 1, 3), *parent = field(end + 1, 4), *group = field(end + 1, 5);
    const char *session = field(end + 1, 6);
    const char *reaped = field(end + 1, 11), *threads = field(end + 1, 20), *start = field(end + 1, 22);
    if (!start) return false;
    size_t length = (size_t)(end - name - 1);
    if (length >= sizeof process->name) length = sizeof process->name - 1;
    *process = (struct cpty_process){
        .pid = (int32_t)number_at(text), .parent = (int32_t)number_at(parent), .group = (int32_t)number_at(group),
        .session = (int32_t)number_at(session), .start = number_at(start), .threads = (int32_t)number_at(threads), .reaped = number_at(reaped), .state = *state,
    };
    memcpy(process->name, name + 1, length);
    return true;
}

/// How much a state lets a process do: 2 it may run, 1 it is stopped, 0 it has ended.
static int activity(char state) {
    if (state == 'Z' || state == 'X' || state == 'x') return 0;
    return state == 'T' || state == 't' ? 1 : 2;
}

/// A call for each entry of a folder whose name is a number.
typedef void (*entry_use)(int folder, long number, uint64_t inode, void *context);

static int for_each_number(int folder, entry_use use, void *context) {
    struct entry {
        uint64_t inode;
        int64_t offset;
        uint16_t length;
        uint8_t type;
        char name[];
    };
    _Alignas(8) char entries[entries_room];
    long count;
    while ((count = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
        for (long place = 0; place < count;) {
            const struct entry *entry = (const struct entry *)(entries + place);
            place += entry->length;
            long number = (long)number_at(entry->name);
            if (number > 0) use(folder, number, entry->inode, context);
        }
    }
    return count < 0 ? -errno : 0;
}

static void consider_thread(int tasks, long thread, uint64_t inode, void *context) {
    (void)inode;
    char path[64], text[stat_room];
    append_text(append_number(path, thread), "/stat");
    struct cpty_process found;
    if (cpty_read_file(tasks, path, text, sizeof text) <= 0 || !parse(text, &found)) return;
    char *state = context;
    if (activity(found.state) > activity(*state)) *state = found.state;
}

/// The facts of a process. /proc shows the state of the first thread only: it may have ended while others live,
/// and it may have stopped before the others.
static int read_process(int proc, pid_t pid, struct cpty_process *process) {
    char path[64], text[stat_room];
    char *end = append_number(path, pid);
    append_text(end, "/stat");
    ssize_t count = cpty_read_file(proc, path, text, sizeof text);
    if (count < 0) return count == -ENOENT ? -ESRCH : (int)count;
    if (!parse(text, process)) return -ESRCH;
    if (process->threads < 2 || activity(process->state) == 2) return 0;
    append_text(end, "/task");
    int tasks = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (tasks < 0) return 0;
    for_each_number(tasks, consider_thread, &process->state);
    close(tasks);
    return 0;
}

int cpty_get_process(pid_t pid, struct cpty_process *process) {
    if (pid <= 0) return -ESRCH;
    int proc = open_proc();
    if (proc < 0) return proc;
    int error = read_process(proc, pid, process);
    close(proc);
    return error;
}

// MARK: Lists

struct listing {
    struct cpty_entry *room;
    int capacity, count;
};

static void take_entry(int proc, long pid, uint64_t inode, void *context) {
    (void)proc;
    struct listing *listing = context;
    if (listing->count < listing->capacity) listing->room[listing->count] = (struct cpty_entry){(int32_t)pid, inode};
    listing->count++;
}

int cpty_list_entries(struct cpty_entry *room, int capacity) {
    int proc = open_proc();
    if (proc < 0) return proc;
    struct listing listing = {room, capacity, 0};
    int error = for_each_number(proc, take_entry, &listing);
    close(proc);
    return error != 0 ? error : listing.count;
}

int cpty_read_processes(const struct cpty_entry *entries, int count, struct cpty_process *room) {
    int proc = open_proc();
    if (proc < 0) return proc;
    int found = 0;
    for (int index = 0; index < count; index++)
        if (read_process(proc, entries[index].pid, &room[found]) == 0) found++;
    close(proc);
    return found;
}

// MARK: Signals

static int signal_by_number(pid_t pid, uint64_t start, int number) {
    struct cpty_process found;
    int error = cpty_get_process(pid, &found);
    if (error != 0) return error;
    if (found.start != start) return -ESRCH;
    return kill(pid, number) == 0 ? 0 : -errno;
}

int cpty_signal_process(pid_t pid, uint64_t start, int number) {
    if (pid <= 1) return -ESRCH;
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal)
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    // A kernel without the call, a filter of system calls that refuses it, or no descriptor left.
    if (descriptor < 0) return errno == ESRCH ? -ESRCH : signal_by_number(pid, start, number);
    struct cpty_process found;
    // The descriptor names the process that has the number now, so the start is compared after it was opened.
    int error = cpty_get_process(pid, &found);
    if (error == 0 && found.start != start) error = -ESRCH;
    if (error == 0 && syscall(SYS_pidfd_send_signal, descriptor, number, NULL, 0) != 0) error = -errno;
    close(descriptor);
    return error;
#else
    return signal_by_number(pid, start, number);
#endif
}

int cpty_signal_group_of(pid_t pid, uint64_t start, pid_t group, int number) {
    if (group <= 1) return -ESRCH;
    // The group exists as long as its process does. Between this look and the signal the number of the group could only belong
    // to another one if all its processes ended and the system used all other numbers.
    struct cpty_process found;
    int error = cpty_get_process(pid, &found);
    if (error != 0) return error;
    if (found.start != start || found.group != group) return -ESRCH;
    return kill(-group, number) == 0 ? 0 : -errno;
}

#else

int cpty_signal_group_of(pid_t pid, uint64_t start, pid_t group, int number) { return -ENOSYS; }
int cpty_get_process(pid_t pid, struct cpty_process *process) { return -ENOSYS; }
int cpty_list_entries(struct cpty_entry *room, int capacity) { return -ENOSYS; }
int cpty_read_processes(const struct cpty_entry *entries, int count, struct cpty_process *room) { return -ENOSYS; }
int cpty_signal_process(pid_t pid, uint64_t start, int number) { return -ENOSYS; }

#endif
