#!/usr/bin/env python3
"""What Scripts/record-terminal.py runs beside ordinary programs: the home folder, and output that no program above writes.

  terminal-demos.py home                                   fills the current folder with made-up files
  terminal-demos.py build|wide|styles|regions|modes        writes the demo to the terminal; where it waits, Enter goes on
"""

import os
import pathlib
import subprocess
import sys
import termios
import tty

COLUMNS, ROWS = 100, 30


def write(*texts):
    """Writes the texts, in which ‹ stands for ESC [."""
    data = "".join(texts).replace("‹", "\x1b[").encode()
    while data:
        data = data[os.write(1, data):]


def wait():
    os.read(0, 1)


# Files

PROGRAM = """#include <stdio.h>

/* Counts the words of its standard input. */
int main(void) {
    int count = 0, inside = 0, byte;
    while ((byte = getchar()) != EOF) {
        if (byte == ' ' || byte == '\\n' || byte == '\\t') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            count++;
        }
    }
    printf("%d words\\n", count);
    return count == 0 ? 1 : 0;
}
"""
VOCABULARY = "orbit lantern river cedar needle anchor violet copper meadow signal harbor ember willow quartz".split()


def sentence(number, words=12):
    return " ".join(VOCABULARY[(number * 7 + k * (number + 3)) % len(VOCABULARY)] for k in range(words))


def home():
    pathlib.Path("program.c").write_text(PROGRAM + "".join(f"\n/* {n}: {sentence(n)} */" for n in range(40)) + "\n")
    pathlib.Path("notes.txt").write_text("".join(f"{n:3} {sentence(n, 6 + n % 20)}\n" for n in range(1, 90)))
    pathlib.Path("colors.txt").write_text("".join(
        f"\x1b[{31 + n % 7}mline {n}\x1b[0m \x1b[1m{sentence(n, 3)}\x1b[0m \x1b[48;5;{n + 16}m{sentence(n + 1, 4)}\x1b[0m\n"
        for n in range(1, 110)))
    pathlib.Path("files").mkdir()
    for n, word in enumerate(VOCABULARY):
        pathlib.Path(f"files/{word}.{('txt', 'c', 'tar', 'sh')[n % 4]}").write_text(sentence(n, 300).replace("e ", "e\n"))
    pathlib.Path("tmux.conf").write_text("set -g status-right demo\nset -g default-terminal screen-256color\nset -g mouse on\n")
    pathlib.Path("bashrc").write_text("PS1='demo$ '\nHISTFILE=\nPROMPT_COMMAND=\n")
    pathlib.Path(".vimrc").write_text("syntax on\nset number mouse=a hlsearch showcmd ruler laststatus=2 encoding=utf-8\n")
    pathlib.Path("dialogs.sh").write_text(
        "dialog --menu 'Choose one' 15 50 5 1 First 2 Second 3 Third 4 '漢字' 2>out\n"
        "dialog --inputbox 'Type something' 10 50 2>out\n"
        "dialog --checklist 'Several' 15 50 4 a Alpha on b Beta off c Gamma off 2>out\n"
        "(for n in 10 35 60 85 100; do echo $n; done) | dialog --gauge 'Working' 8 50\n"
        "dialog --textbox notes.txt 20 70\n")
    repository()


def repository():
    folder = pathlib.Path("repository")
    folder.mkdir()
    settings = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
                (("NAME", "Demo"), ("EMAIL", "demo@example.com"), ("DATE", "2024-05-06T07:08:09Z"))}
    environment = {**os.environ, **settings}
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, env=environment, check=True)
    for n in range(14):
        (folder / f"{VOCABULARY[n % 5]}.txt").write_text("".join(sentence(k + n) + "\n" for k in range(20)))
        subprocess.run(["git", "add", "-A"], cwd=folder, env=environment, check=True)
        subprocess.run(["git", "commit", "-q", "-m", sentence(n, 5)], cwd=folder, env=environment, check=True)
    (folder / "orbit.txt").write_text("changed\n")


# Demos

def build():
    for n in range(1, 60):
        write(f"\r‹K[{n:2}/59] Compiling {sentence(n, 2 + n % 16)}")
        if n % 9 == 0:
            write(f"\r‹K‹33mwarning:‹0m {sentence(n, 18)}\r\n")
    write("\r\n")
    for percent in range(0, 101, 2):
        done = percent * 60 // 100
        write(f"\rLinking  ‹32m{'█' * done}‹90m{'░' * (60 - done)}‹0m {percent:3}%")
    write("\r\n")
    for n in range(40):
        write(f"‹{'32mok' if n % 7 else '31mfailed'}‹0m {n} {'.' * (n * 5 % 130)}\r\n")
    for n in range(6):
        write(f"task a {n}/5\r\ntask b {n * 2}/10\r\n", "" if n == 5 else "‹2A")
    write("x" * COLUMNS, "\r\n", "y" * (3 * COLUMNS + 7), "\r\n")


def wide():
    lines = [
        "漢字かな交じり文 with Latin letters", "한국어 텍스트 and 中文字符", "e\u0301 a\u0308 n\u0303 o\u0302\u0323 combining marks", "😀 🚀 🎉 emoji",
        "👩\u200d💻 👨\u200d👩\u200d👧 joined 🇩🇪 ❤\ufe0f", "ｆｕｌｌ　ｗｉｄｔｈ", "שלום עולם", "ภาษาไทย", "┌──┬──┐│▒▓█│└──┴──┘",
    ]
    for screen in ("", "‹?1049h‹H‹2J"):
        write(screen)
        for n, line in enumerate(lines):
            write(f"‹3{n % 8}m{line}‹0m\r\n")
        for column in range(COLUMNS - 4, COLUMNS + 1):
            write(f"‹{column}G漢字x\r\n")
        write("漢" * 70, "\r\n", "ab漢字cd漢字\r‹2C", "X", "‹3C", "Y\r\n", "漢字漢字漢字‹5D‹P‹1D‹@‹2X\r\n")
        write("字" * 20, "‹11D", "‹K\r\n", "字" * 20, "‹11D", "‹1K\r\n", "e\u0301" * 60, "\r\n")
        wait()
    write("‹?1049l", "end\r\n")


def styles():
    codes = [
        1, 2, 3, 4, 5, 7, 8, 9, 21, 53, "4:2", "4:3", "4:4", "4:5", "1;3;4", "2;7", "9;31", "4:3;58;5;196", "4;58:2::20:200:90",
    ]
    for screen in ("", "‹?1049h‹H‹2J"):
        write(screen)
        for n, code in enumerate(codes):
            write(f"‹{code}mstyle {code}‹0m ", "\r\n" if n % 6 == 5 else "")
        write("\r\n", *(f"‹{base + n}m{base + n} " for base in (30, 40, 90, 100) for n in range(8)), "‹0m\r\n")
        for n in range(0, 256, 2):
            write(f"‹38;5;{n}m#‹48;5;{255 - n}m ")
        write("‹0m\r\n")
        for n in range(0, 200):
            write(f"‹38;2;{n};{255 - n};128m▀‹48:2::{255 - n}:40:{n}mo")
        write("‹0m\r\n")
        for n in range(3):
            write(f"\x1b]8;id=n{n};https://example.com/{n}\x1b\\link {n}\x1b]8;;\x07 plain ")
        write("‹1m‹22m‹3m‹23m‹4m‹24m‹7m‹27mplain ‹41mred to the end of the line‹K‹49m\r\n‹44m‹J‹0m")
        write("\x1b]2;Styles\x07", "‹5 q" if screen else "‹3 q")
        wait()
    write("‹?1049l‹0 q", "end\r\n")


def regions():
    for screen in ("", "‹?1049h‹H‹2J"):
        write(screen, "‹H", *(f"‹{row};1Hrow {row} {sentence(row, 9)}" for row in range(1, ROWS + 1)))
        write("‹5;20r", "‹20;1H", *(f"\r\nin the region {n}" for n in range(8)))
        wait()
        write("‹?6h‹1;1Horigin‹99;99Hlast", "‹3;3H\x1b7‹31m", "‹5;5Hred\x1b8saved", "‹?6l")
        wait()
        write("‹5;1H\x1bM\x1bMreverse index", "‹20;1H\x1bD\x1bEnext line", "‹10;1H‹2Linserted‹12;1H‹3M", "‹2S‹1T")
        wait()
        write("‹r‹15;1Habcdefghij‹5D‹4hINSERT‹4l", "‹16;1Habcdefghij‹5D‹3Pgone‹2@", "‹17;5H‹4X‹18;1Hx‹30b#‹10b")
        wait()
        write("‹20;25r‹25;1H", "\n" * 3, "‹r‹30;1H\r\n", "last line\r\n")
        wait()
        write("‹?7l‹12;95Hno wrap at the edge‹?7h‹13;95Hwraps at the edge", "‹8;90H‹s‹1;1Hfrom‹uto")
        wait()
    write("‹?1049l", "end\r\n")


def modes():
    for screen in ("", "‹?1049h‹H‹2J"):
        write(screen, "‹H‹2J\x1b(0lqqqqqwqqqqqk\r\nx     x     x\r\nmqqqqqvqqqqqj\x1b(B\r\n", "\x1b)0\x0elqqk\x0flqqk\r\n")
        wait()
        write("‹3g‹5G\x1bH‹12G\x1bH‹40G\x1bH\r\ta\tb\tc\td\r\n", "‹12G‹g\ra\tb\tc‹Zd\r\n", "\ta\tb‹2Ic\r\n")
        wait()
        write("‹?1h\x1b=‹?25l‹?1002h‹?1006h‹?2004h‹?1004h", "application modes ", "\x1b7‹10;10H\x1b(0qqq\x1b8 restored\r\n")
        wait()
        write("‹?1l\x1b>‹?25h‹?1002l‹?1006l‹?2004l‹?1004l", "‹?12h‹4 q‹?5h‹?5l", "‹>1u‹<u", "‹>4;1m‹>4m", "\x1b[!p")
        write("x" * COLUMNS)
        wait()
    write("‹?1049l", "end\r\n", "\x1bc", "after a reset\r\n")


if __name__ == "__main__":
    demo = {f.__name__: f for f in (home, build, wide, styles, regions, modes)}[sys.argv[1]]
    if demo is not home:
        saved = termios.tcgetattr(0)
        tty.setraw(0)
    demo()
    if demo is not home:
        termios.tcsetattr(0, termios.TCSANOW, saved)
