// What names a process in an environment variable, and how many threads it has.
#include "CPty.h"

#include <unistd.h>
#ifdef __APPLE__
#include <mach/mach.h>
#include <sys/sysctl.h>
#endif

// The first two functions are called after a fork, so only async-signal-safe calls may stand in them.

int cpty_start_time(pid_t process, uint64_t *start) {
#ifdef __APPLE__
    struct kinfo_proc found;
    size_t size = sizeof found;
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    if (sysctl(name, 4, &found, &size, NULL, 0) != 0) return -errno;
    if (size == 0) return -ESRCH;
    *start = (uint64_t)found.kp_proc.p_starttime.tv_sec * 1000000 + (uint64_t)found.kp_proc.p_starttime.tv_usec;
#else
    struct cpty_process found;
    int error = cpty_get_process(process, &found);
    if (error != 0) return error;
    *start = found.start;
#endif
    return 0;
}

static char *append_number(char *end, uint64_t number) {
    char digits[24];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0) *end++ = digits[--count];
    return end;
}

int cpty_write_mark(char *room) {
    // A process number of at most 10 digits, a colon and a start of at most 20 fit, with the terminating 0.
    uint64_t start;
    int error = cpty_start_time(getpid(), &start);
    if (error != 0) return error;
    char *end = append_number(room, (uint64_t)getpid());
    *end++ = ':';
    *append_number(end, start) = 0;
    return 0;
}

int cpty_own_threads(void) {
#ifdef __APPLE__
    thread_act_array_t threads;
    mach_msg_type_number_t count = 0;
    if (task_threads(mach_task_self(), &threads, &count) != KERN_SUCCESS) return -ENOSYS;
    for (mach_msg_type_number_t index = 0; index < count; index++) mach_port_deallocate(mach_task_self(), threads[index]);
    vm_deallocate(mach_task_self(), (vm_address_t)threads, count * sizeof *threads);
    return (int)count;
#else
    struct cpty_process found;
    int error = cpty_get_process(getpid(), &found);
    return error != 0 ? error : found.threads;
#endif
}
