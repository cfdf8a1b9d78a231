"""The process from which a room's others are forked: what it has imported is in memory once for all of them.

    server --one end of a pair of sockets--> this process --fork--> a process that computes pages (compute.py)
    a process that computes --a file--> this process --fork--> a process that reads it (reader.py)

It has no visitor's data, and computes nothing itself. A forked process is ready in a few hundredths of a second; one that
has to import everything takes a second or two.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from typing import Any

from lmdk_widgets.hosts.page_list import OPENED, page_class
from lmdk_widgets.hosts.serving import compute, reader
from lmdk_widgets.linear import compiling


def main() -> None:
    """Fork until the server has gone, which has the other end of the standard input, a socket."""
    about = json.loads(sys.argv[1])
    os.dup2(2, 1)  # what is printed is not a message
    if about["forks"]:
        compute.prepare()
        if compiling.on_disk():
            compiling.ready(wait=True)
    else:  # it forks readers alone: nothing may be computed before, as libraries may start threads there
        for name in OPENED:
            page_class(name)
    compute.freeze()
    files, server = reader.listening(about["reader"]), socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    def forked(channel: socket.socket, reads: bool) -> int:
        """Fork, and return a file of which the end is read when the new process ends."""
        ended, held = os.pipe()
        if os.fork() == 0:
            for one in (files, server, *turns.files):
                os.close(one) if isinstance(one, int) else one.close()
            os.close(ended)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _become(reads, channel, about)
        os.close(held)
        return ended

    turns = reader.Turns(lambda channel: forked(channel, True))
    while True:
        for ready in select.select([files, server, *turns.files], [], [])[0]:
            try:
                if ready is files:
                    turns.ask(files.accept()[0])
                elif ready is not server:
                    turns.over(ready)
                else:
                    said, given, _, _ = socket.recv_fds(server, 1, 1)
                    if not said:
                        return
                    with socket.socket(fileno=given[0]) as channel:
                        os.close(forked(channel, False))
            except (OSError, IndexError):  # too many open files: whoever asked is answered by the closed socket
                time.sleep(0.1)


def _become(reads: bool, channel: socket.socket, about: dict[str, Any]) -> None:
    """Run as the new process; does not return."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        if reads:
            reader.read(channel)
        else:
            compute.serve(channel.makefile("rb"), channel.makefile("wb"), about)
    except (KeyboardInterrupt, SystemExit, ConnectionError):
        pass  # the server ends
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
