"""Shows what is typed. It knows nothing of a kill switch."""

import curses


def run(screen):
    text = ""
    while True:
        screen.erase()
        screen.addstr(0, 0, "PAD: type something; q quits", curses.A_BOLD)
        screen.addstr(2, 0, "typed: " + text[-60:])
        screen.refresh()
        key = screen.getkey()
        if key == "q":
            return
        if len(key) == 1 and key.isprintable():
            text += key


curses.wrapper(run)
