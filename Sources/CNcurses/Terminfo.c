// Apart from the rest, because <term.h> makes macros of words like "columns".
#include "CNcurses.h"

#include <string.h>
#include <term.h>
#include <unistd.h>

static bool has_string(const char *name) {
    const char *text = tigetstr((char *)name);
    return text && text != (char *)-1 && *text;
}

int cncurses_knows_term(const char *name) {
    TERMINAL *before = cur_term;
    int answer = 0;
    if (setupterm((char *)name, STDOUT_FILENO, &answer) != OK) return answer > 0 ? 1 : answer;
    int result = has_string("cup") && has_string("clear") ? 2 : 1;
    TERMINAL *probe = cur_term;
    if (probe != before) {
        set_curterm(before);
        del_curterm(probe);
    }
    return result;
}

bool cncurses_term_facts(const char *name, int *colors, bool *has_alternate_screen) {
    TERMINAL *before = cur_term;
    int answer = 0;
    if (setupterm((char *)name, STDOUT_FILENO, &answer) != OK) return false;
    *colors = tigetnum("colors");
    *has_alternate_screen = has_string("smcup") && has_string("rmcup");
    TERMINAL *probe = cur_term;
    if (probe != before) {
        set_curterm(before);
        del_curterm(probe);
    }
    return true;
}

// Padding stands as "$<12>" or "$<5*/>"; a terminal of today needs none.
static void drop_padding(char *text) {
    char *to = text;
    for (const char *from = text; *from;) {
        if (from[0] == '$' && from[1] == '<') {
            const char *end = strchr(from, '>');
            if (end) {
                from = end + 1;
                continue;
            }
        }
        *to++ = *from++;
    }
    *to = 0;
}

const char *cncurses_capability(const char *name) {
    static char result[256];
    const char *text = tigetstr((char *)name);
    if (!text || text == (char *)-1 || strlen(text) >= sizeof result) return NULL;
    strcpy(result, text);
    drop_padding(result);
    return result;
}

bool cncurses_has_direct_color(void) {
    if (COLORS < 0x1000000) return false;
    const char *text = tigetstr("RGB");
    return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (text && text != (char *)-1);
}

const char *cncurses_term_name(void) {
    static char result[256];
    const char *name = cur_term ? termname() : NULL;
    if (!name || !*name || strlen(name) >= sizeof result) return NULL;
    return strcpy(result, name);
}
