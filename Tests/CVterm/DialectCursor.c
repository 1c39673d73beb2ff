#if __has_include(<vterm.h>)

#include "DialectInternal.h"

#include <stdio.h>
#include <string.h>

static int flag(const dialect *dialect, VTermAttr attribute) {
    VTermValue value;
    return cvterm_library()->vterm_state_get_penattr(dialect->state, attribute, &value) ? value.boolean : 0;
}

static int append_color(const VTermColor *color, char *text, size_t room, int base) {
    if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color)) return 0;
    if (VTERM_COLOR_IS_INDEXED(color)) return snprintf(text, room, "\x1b[%d;5;%dm", base, color->indexed.idx);
    return snprintf(text, room, "\x1b[%d;2;%d;%d;%dm", base, color->rgb.red, color->rgb.green, color->rgb.blue);
}

static void describe(
    char *text, size_t room, VTermScreenCellAttrs attributes, const VTermColor *foreground, const VTermColor *background
) {
    static const char *const underlines[] = {"", ";4", ";21", ";4:3"};
    int used = snprintf(
        text, room, "\x1b[0%s%s%s%s%s%sm", attributes.bold ? ";1" : "", attributes.italic ? ";3" : "",
        underlines[attributes.underline], attributes.blink ? ";5" : "", attributes.reverse ? ";7" : "",
        attributes.strike ? ";9" : "");
    used += append_color(foreground, text + used, room - used, 38);
    append_color(background, text + used, room - used, 48);
}

static void read_rendition(const dialect *dialect, char *text, size_t room) {
    VTermScreenCellAttrs attributes = {
        .bold = flag(dialect, VTERM_ATTR_BOLD), .underline = flag(dialect, VTERM_ATTR_UNDERLINE),
        .italic = flag(dialect, VTERM_ATTR_ITALIC), .blink = flag(dialect, VTERM_ATTR_BLINK),
        .reverse = flag(dialect, VTERM_ATTR_REVERSE), .strike = flag(dialect, VTERM_ATTR_STRIKE),
    };
    VTermValue foreground, background;
    cvterm_library()->vterm_state_get_penattr(dialect->state, VTERM_ATTR_FOREGROUND, &foreground);
    cvterm_library()->vterm_state_get_penattr(dialect->state, VTERM_ATTR_BACKGROUND, &background);
    describe(text, room, attributes, &foreground.color, &background.color);
}

static int append_character(char *text, uint32_t c) {
    int count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const int leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    text[0] = (char)(leads[count] | c >> 6 * (count - 1));
    for (int k = 1; k < count; k++) text[k] = (char)(0x80 | (c >> 6 * (count - 1 - k) & 63));
    return count;
}

// Brings a pending wrap back: nothing but writing a character in the last column makes one.
static void write_cell_again(dialect *dialect, VTermPos place) {
    VTermScreenCell cell;
    char text[160], characters[4 * VTERM_MAX_CHARS_PER_CELL + 1];
    memset(&cell, 0, sizeof cell);
    cvterm_library()->vterm_screen_get_cell(dialect->screen, place, &cell);
    if (cell.chars[0] == 0 || cell.chars[0] > 0x10ffff) return;
    // The library applies the reversal of the whole screen to the attributes that it returns.
    if (dialect->reverses_screen) cell.attrs.reverse = !cell.attrs.reverse;
    int count = 0;
    for (int k = 0; k < VTERM_MAX_CHARS_PER_CELL && cell.chars[k]; k++) {
        count += append_character(characters + count, cell.chars[k]);
    }
    characters[count] = 0;
    describe(text, sizeof text, cell.attrs, &cell.fg, &cell.bg);
    dialect_send(dialect, text);
    dialect_send(dialect, "\x0f\x1b(B\x1b[4l");
    dialect_send(dialect, characters);
    if (dialect->inserts) dialect_send(dialect, "\x1b[4h");
    dialect->is_wrap_pending = 1;
}

void dialect_reset_saved(saved_cursor *saved) {
    *saved = (saved_cursor){.sets = {'B', 'B', 'B', 'B'}, .rendition = "\x1b[0m"};
}

void dialect_save_cursor(dialect *dialect) {
    saved_cursor *saved = &dialect->saved[dialect->alternate];
    saved->is_set = 1;
    saved->place = dialect_place(dialect);
    saved->is_wrap_pending = dialect->is_wrap_pending;
    saved->origin = dialect->origin;
    memcpy(saved->sets, dialect->sets, sizeof saved->sets);
    saved->shifted_set = dialect->shifted_set;
    read_rendition(dialect, saved->rendition, sizeof saved->rendition);
}

void dialect_send_sets(dialect *dialect) {
    static const char *const shifts[] = {"\x0f", "\x0e", "\x1bn", "\x1bo"};
    for (int k = 0; k < 4; k++) {
        char text[] = {0x1b, DIALECT_DESIGNATORS[k], dialect->sets[k], 0};
        dialect_send(dialect, text);
    }
    dialect_send(dialect, shifts[dialect->shifted_set]);
}

void dialect_restore_cursor(dialect *dialect) {
    const saved_cursor *saved = &dialect->saved[dialect->alternate];
    VTermPos place = saved->place;
    dialect_send(dialect, saved->origin ? "\x1b[?6h" : "\x1b[?6l");
    if (saved->origin) {
        // The origin mode has moved the cursor to the top margin, from which rows count now.
        VTermPos top = dialect_place(dialect);
        place.row = place.row > top.row ? place.row - top.row : 0;
    }
    dialect->origin = saved->origin;
    dialect_send_place(dialect, place);
    dialect->is_wrap_pending = 0;
    if (saved->is_wrap_pending && dialect->autowraps) write_cell_again(dialect, saved->place);
    dialect_send(dialect, saved->rendition);
    memcpy(dialect->sets, saved->sets, sizeof dialect->sets);
    dialect->shifted_set = saved->shifted_set;
    dialect_send_sets(dialect);
}

int dialect_has_saved_cursor(const dialect *dialect) { return dialect->saved[dialect->alternate].is_set; }

int dialect_has_saved_wrap(const dialect *dialect) { return dialect->saved[dialect->alternate].is_wrap_pending; }

#endif
