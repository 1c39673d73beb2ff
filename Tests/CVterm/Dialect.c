#if __has_include(<vterm.h>)

#include "DialectInternal.h"

#include <stdio.h>
#include <string.h>

void dialect_send(dialect *dialect, const char *text) { cvterm_library()->vterm_input_write(dialect->vterm, text, strlen(text)); }

void dialect_send_place(dialect *dialect, VTermPos place) {
    char text[40];
    snprintf(text, sizeof text, "\x1b[%d;%dH", place.row + 1, place.col + 1);
    dialect_send(dialect, text);
}

VTermPos dialect_place(const dialect *dialect) {
    VTermPos place;
    cvterm_library()->vterm_state_get_cursorpos(dialect->state, &place);
    return place;
}

// Modes

static void switch_screen(dialect *dialect, int alternate) {
    dialect_send(dialect, alternate ? "\x1b[?1047h" : "\x1b[?1047l");
    dialect->alternate = alternate;
}

static void set_private_mode(dialect *dialect, int mode, int on) {
    char text[40];
    switch (mode) {
    case 1047: switch_screen(dialect, on); break;
    case 1048: on ? dialect_save_cursor(dialect) : dialect_restore_cursor(dialect); break;
    case 1049:
        if (on) dialect_save_cursor(dialect);
        switch_screen(dialect, on);
        if (!on) dialect_restore_cursor(dialect);
        break;
    default:
        // The cursor goes home.
        if (mode == 6) dialect->origin = on, dialect->is_wrap_pending = 0;
        if (mode == 7) dialect->autowraps = on;
        if (mode == 5) dialect->reverses_screen = on;
        if (mode == 69) dialect->has_side_margins = on;
        snprintf(text, sizeof text, "\x1b[?%d%c", mode, on ? 'h' : 'l');
        dialect_send(dialect, text);
    }
}

static void set_private_modes(dialect *dialect) {
    int on = dialect->sequence[dialect->length - 1] == 'h', mode = 0;
    for (size_t k = 3; k < dialect->length; k++) {
        char byte = dialect->sequence[k];
        if (byte >= '0' && byte <= '9') {
            mode = mode < 100000 ? mode * 10 + byte - '0' : mode;
        } else {
            set_private_mode(dialect, mode, on);
            mode = 0;
        }
    }
}

static void forget_cursor_state(dialect *dialect) {
    dialect->origin = dialect->shifted_set = dialect->inserts = 0;
    dialect->autowraps = 1;
    memset(dialect->sets, 'B', sizeof dialect->sets);
    dialect_reset_saved(&dialect->saved[dialect->alternate]);
}

static void soft_reset(dialect *dialect) {
    VTermPos place = dialect_place(dialect);
    dialect_send(dialect, "\x1b[?25h\x1b[?1l\x1b[?6l\x1b[?7h\x1b[4l\x1b>\x1b[0m\x1b[r");
    dialect_send_place(dialect, place);
    forget_cursor_state(dialect);
    dialect_send_sets(dialect);
}

// Sequences

// The number of parameters, separated by semicolons, that belong together at the start of a rendition: `38;5;N`, `38;2;R;G;B`.
static int together(const char *parameters) {
    if (strncmp(parameters, "38;", 3) && strncmp(parameters, "48;", 3) && strncmp(parameters, "58;", 3)) return 1;
    return parameters[3] == '5' ? 3 : parameters[3] == '2' ? 5 : 1;
}

// Sends the parts of a rendition (SGR) one by one, without those that libvterm does not know.
static void set_rendition(dialect *dialect) {
    char *part = dialect->sequence + 2, *end = dialect->sequence + dialect->length - 1;
    *end = 0;
    for (;;) {
        char *part_end = part;
        for (int left = together(part); ; part_end++) {
            if ((*part_end == ';' && --left == 0) || part_end == end) break;
        }
        int length = (int)(part_end - part);
        char *empty_space = length < 40 ? strstr(part, ":2::") : NULL;
        char text[64];
        if (empty_space && empty_space < part_end) {
            int head = (int)(empty_space + 3 - part);
            snprintf(text, sizeof text, "\x1b[%.*s%.*sm", head, part, length - head - 1, part + head + 1);
        } else {
            snprintf(text, sizeof text, "\x1b[%.*sm", length, part);
        }
        if (strncmp(part, "58", 2)) dialect_send(dialect, text);
        if (part_end == end) return;
        part = part_end + 1;
    }
}

static int is_rendition(const dialect *dialect) {
    return dialect->length > 2 && dialect->sequence[1] == '[' && dialect->sequence[dialect->length - 1] == 'm'
        && strspn(dialect->sequence + 2, "0123456789;:") == dialect->length - 3;
}

static int is_private_mode_sequence(const dialect *dialect) {
    if (dialect->length < 5 || memcmp(dialect->sequence, "\x1b[?", 3)) return 0;
    char final = dialect->sequence[dialect->length - 1];
    return (final == 'h' || final == 'l') && strspn(dialect->sequence + 3, "0123456789;") == dialect->length - 4;
}

static int is_sequence(const dialect *dialect, const char *text) {
    return dialect->length == strlen(text) && !memcmp(dialect->sequence, text, dialect->length);
}

// Sends a sequence that libvterm interprets as xterm does, and notes what libvterm does not tell.
static void send_sequence(dialect *dialect) {
    const char *text = dialect->sequence;
    VTermPos before = dialect_place(dialect);
    cvterm_library()->vterm_input_write(dialect->vterm, text, dialect->length);
    VTermPos after = dialect_place(dialect);
    int moves = text[1] == '[' && strchr("ABCDEFGH`adefjk", text[dialect->length - 1]);
    if (moves || vterm_pos_cmp(before, after)) dialect->is_wrap_pending = 0;
    if (is_sequence(dialect, "\x1b" "c")) {
        dialect->alternate = dialect->has_side_margins = dialect->reverses_screen = 0;
        dialect_reset_saved(&dialect->saved[1]);
        forget_cursor_state(dialect);
    } else if (dialect->length == 3 && strchr(DIALECT_DESIGNATORS, text[1])) {
        dialect->sets[strchr(DIALECT_DESIGNATORS, text[1]) - DIALECT_DESIGNATORS] = text[2];
    } else if (is_sequence(dialect, "\x1bn") || is_sequence(dialect, "\x1bo")) {
        dialect->shifted_set = text[1] == 'n' ? 2 : 3;
    } else if (is_sequence(dialect, "\x1b[4h") || is_sequence(dialect, "\x1b[4l")) {
        dialect->inserts = text[3] == 'h';
    }
}

static void finish_sequence(dialect *dialect) {
    dialect->sequence[dialect->length] = 0;
    if (is_private_mode_sequence(dialect)) {
        set_private_modes(dialect);
    } else if (is_rendition(dialect)) {
        set_rendition(dialect);
    } else if (is_sequence(dialect, "\x1b" "7") || (is_sequence(dialect, "\x1b[s") && !dialect->has_side_margins)) {
        dialect_save_cursor(dialect);
    } else if (is_sequence(dialect, "\x1b" "8") || is_sequence(dialect, "\x1b[u")) {
        dialect_restore_cursor(dialect);
    } else if (is_sequence(dialect, "\x1b[!p")) {
        soft_reset(dialect);
    } else {
        send_sequence(dialect);
    }
    dialect->length = 0;
}

static void pass(dialect *dialect) {
    // libvterm would print the content of APC, PM and SOS.
    int is_ignored = dialect->in_string && strchr("_^X", dialect->sequence[1]);
    if (!is_ignored) cvterm_library()->vterm_input_write(dialect->vterm, dialect->sequence, dialect->length);
    dialect->length = dialect->in_string = 0;
}

// Takes the next byte of a sequence that has begun.
static void continue_sequence(dialect *dialect, uint8_t byte) {
    char last = dialect->sequence[dialect->length - 1];
    dialect->sequence[dialect->length++] = (char)byte;
    if (dialect->length > LONGEST_SEQUENCE - 2) {
        pass(dialect);
    } else if (dialect->in_string) {
        if (byte == 0x07 || byte == 0x18 || byte == 0x1a || (last == 0x1b && byte == '\\')) {
            pass(dialect);
        } else if (last == 0x1b) {
            // Any other escape sequence ends the string.
            dialect->length -= 2;
            pass(dialect);
            dialect->sequence[dialect->length++] = 0x1b;
            continue_sequence(dialect, byte);
        }
    } else if (dialect->length == 2 && strchr("]P_^X", byte)) {
        dialect->in_string = 1;
    } else if (byte == 0x1b) {
        dialect->length--;
        pass(dialect);
        dialect->sequence[dialect->length++] = 0x1b;
    } else if (byte < 0x20 || byte > 0x7e) {
        pass(dialect);
    } else if (dialect->sequence[1] == '[') {
        if (dialect->length > 2 && byte >= 0x40) finish_sequence(dialect);
    } else if (byte >= 0x30) {
        finish_sequence(dialect);
    }
}

// Text

static int is_mark(const uint8_t *bytes, size_t count) {
    if (count == 2) return bytes[0] == 0xcc || (bytes[0] == 0xcd && bytes[1] < 0xb0);
    return count == 3 && bytes[0] == 0xe2 && bytes[1] == 0x80 && bytes[2] == 0x8d;
}

// Where the last character of the text begins.
static size_t last_character(const uint8_t *bytes, size_t count) {
    size_t start = count - 1;
    while (start > 0 && count - start < 4 && (bytes[start] & 0xc0) == 0x80) start--;
    return start;
}

// Writes text and control characters, and finds out whether a wrap is pending then: the last character was printed, and the
// cursor has stayed in the last column.
static void send_text(dialect *dialect, const uint8_t *bytes, size_t count) {
    size_t end = count, start = 0;
    while (end > 0) {
        start = last_character(bytes, end);
        if (bytes[start] >= 0x20 && bytes[start] != 0x7f && !is_mark(bytes + start, end - start)) break;
        end = start;
    }
    if (end > 0) {
        cvterm_library()->vterm_input_write(dialect->vterm, (const char *)bytes, start);
        VTermPos before = dialect_place(dialect);
        cvterm_library()->vterm_input_write(dialect->vterm, (const char *)bytes + start, end - start);
        VTermPos after = dialect_place(dialect);
        int rows, columns;
        cvterm_library()->vterm_get_size(dialect->vterm, &rows, &columns);
        dialect->is_wrap_pending = dialect->autowraps && !vterm_pos_cmp(before, after) && after.col >= columns - 2;
    }
    VTermPos before = dialect_place(dialect);
    cvterm_library()->vterm_input_write(dialect->vterm, (const char *)bytes + end, count - end);
    if (vterm_pos_cmp(before, dialect_place(dialect))) dialect->is_wrap_pending = 0;
    for (size_t at = 0; at < count; at++) {
        if (bytes[at] == 0x0e || bytes[at] == 0x0f) dialect->shifted_set = bytes[at] == 0x0e;
    }
}

void dialect_feed(dialect *dialect, const uint8_t *bytes, size_t count) {
    size_t start = 0;
    for (size_t at = 0; at < count; at++) {
        if (dialect->length) {
            continue_sequence(dialect, bytes[at]);
            start = at + 1;
        } else if (bytes[at] == 0x1b) {
            send_text(dialect, bytes + start, at - start);
            dialect->sequence[dialect->length++] = 0x1b;
            start = at + 1;
        }
    }
    send_text(dialect, bytes + start, count - start);
}

dialect *dialect_create(VTerm *vterm, VTermState *state, VTermScreen *screen) {
    dialect *dialect = calloc(1, sizeof *dialect);
    if (!dialect) abort();
    dialect->vterm = vterm;
    dialect->state = state;
    dialect->screen = screen;
    dialect_reset_saved(&dialect->saved[1]);
    forget_cursor_state(dialect);
    return dialect;
}

void dialect_free(dialect *dialect) { free(dialect); }

#endif
