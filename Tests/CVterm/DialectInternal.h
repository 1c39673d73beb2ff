#ifndef CVTERM_DIALECT_INTERNAL_H
#define CVTERM_DIALECT_INTERNAL_H

#include "Dialect.h"
#include "Library.h"

enum { LONGEST_SEQUENCE = 1 << 16 };

// The bytes that begin the designation of the four character sets.
#define DIALECT_DESIGNATORS "()*+"

typedef struct {
    int is_set;
    VTermPos place;
    int is_wrap_pending, origin;
    char sets[4];
    int shifted_set;
    char rendition[160];  // as SGR sequences
} saved_cursor;

struct dialect {
    VTerm *vterm;
    VTermState *state;
    VTermScreen *screen;
    char sequence[LONGEST_SEQUENCE];  // an unfinished escape sequence; it has no effect before its end
    size_t length;
    int in_string;  // inside OSC, DCS, APC, PM or SOS
    // What libvterm knows but does not tell.
    int is_wrap_pending, autowraps, inserts, origin, alternate, has_side_margins, reverses_screen;
    char sets[4];
    int shifted_set;
    saved_cursor saved[2];  // of the main and of the alternate screen
};

void dialect_send(dialect *dialect, const char *text);
void dialect_send_place(dialect *dialect, VTermPos place);
void dialect_send_sets(dialect *dialect);
VTermPos dialect_place(const dialect *dialect);

void dialect_reset_saved(saved_cursor *saved);
void dialect_save_cursor(dialect *dialect);
void dialect_restore_cursor(dialect *dialect);

#endif
