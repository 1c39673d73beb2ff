#ifndef CVTERM_DIALECT_H
#define CVTERM_DIALECT_H

#include <stddef.h>
#include <stdint.h>
#include <vterm.h>

// Makes libvterm 0.1.4 behave as xterm where the two differ in what the tests judge. Everything else passes unchanged.
//
// - Several modes in one sequence (`CSI ? 1006 ; 1000 h`): libvterm takes only the first. They are sent one by one.
// - Saved cursors (DECSC, DECRC, modes 1048 and 1049, `CSI s` and `CSI u`): xterm has one for each screen, with the place, the
//   pending wrap, the rendition, the character sets and the origin mode. libvterm has one for both screens, with the place,
//   the rendition, and the cursor's visibility and shape. They are kept here.
// - Control strings (OSC, DCS): libvterm forgets the beginning of one that arrives in several parts. They are sent whole.
//   The content of APC, PM and SOS, which libvterm prints, is dropped.
// - Renditions (SGR): libvterm writes past the end of its parameters after the 16th, takes the empty color space of
//   `48:2::R:G:B` for red, and the parts of an underline color for codes of their own. They are sent one by one, without
//   empty color spaces and underline colors.
// - Soft reset (DECSTR): libvterm does not know it. It is replaced by the sequences for its parts.
typedef struct dialect dialect;

dialect *dialect_create(VTerm *vterm, VTermState *state, VTermScreen *screen);
void dialect_free(dialect *dialect);
// Whether a cursor is saved for the current screen.
int dialect_has_saved_cursor(const dialect *dialect);
int dialect_has_saved_wrap(const dialect *dialect);
void dialect_feed(dialect *dialect, const uint8_t *bytes, size_t count);

#endif
