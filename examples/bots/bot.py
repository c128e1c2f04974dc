#!/usr/bin/env python3
"""A bot that plays random legal moves, with nothing but the standard library. See docs/bots.md.

    python3 bot.py --name my-bot --challenge othello --games 1
    python3 bot.py --token TOKEN --games 10
"""

import argparse
import base64
import json
import os
import random
import socket
import struct
import time
import urllib.error
import urllib.request

# When the server says that it was too much at once: seconds to wait, and how often.
PAUSE, TRIES = 0.5, 20


class WebSocket:
    """As much of RFC 6455 as a bot needs."""

    def __init__(self, server, path):
        host, port = server.rsplit(":", 1)
        self.stream = socket.create_connection((host, int(port)))
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {server}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.file = self.stream.makefile("rb")
        status = self.file.readline().decode()
        if " 101 " not in status:
            raise OSError(f"no WebSocket at {path}: {status.strip()}")
        while self.file.readline().strip():
            pass

    def send(self, message, opcode=1):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        mask = os.urandom(4)
        if len(data) < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | len(data))
        else:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, len(data))
        self.stream.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        """The next event, or None when the server has closed the connection."""
        text = b""
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                return None
            opcode, length = head[0] & 15, head[1] & 127
            if length == 126:
                (length,) = struct.unpack("!H", self.file.read(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self.file.read(8))
            data = self.file.read(length)
            if opcode == 8:
                return None
            if opcode == 9:
                self.send(data, opcode=10)
            elif opcode in (0, 1):
                text += data
                if head[0] & 0x80:
                    return json.loads(text)


class Bot:
    def __init__(self, server, token):
        self.server, self.token = server, token

    def post(self, path, body):
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"http://{self.server}{path}", json.dumps(body).encode(), headers)
        for left in reversed(range(TRIES)):
            try:
                with urllib.request.urlopen(request) as answer:
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as error:
                if error.code != 429 or not left:
                    raise
                time.sleep(PAUSE)

    def connect(self, path):
        live = WebSocket(self.server, path)
        live.send({"token": self.token})
        return live

    def serve(self, challenge, games):
        """Sits in the lobby until so many games have been played, one after another."""
        lobby, known = self.connect("/api/lobby/live"), set()
        if challenge:
            clock = {"initial_ms": 300_000, "increment_ms": 1000}
            self.post("/api/challenges", {"game": challenge, "clock": clock, "rated": True})
        tried = set()
        while len(known) < games:
            event = lobby.receive()
            if event is None:
                raise OSError("the server is gone")
            if event["event"] == "challenge":
                self.accept(event["challenge"]["id"])
            elif event["event"] == "lobby" and not challenge:
                # Challenges to everybody; who has one of their own waits for it.
                for found in event.get("challenges", []):
                    if found.get("to") is None and found["id"] not in tried:
                        tried.add(found["id"])
                        self.accept(found["id"])
            elif event["event"] == "start" and event["table"] not in known:
                known.add(event["table"])
                print(event["table"], self.play(event["table"]), flush=True)

    def accept(self, challenge):
        """The game then comes as a `start` event; somebody else may have been first."""
        try:
            self.post(f"/api/challenges/{challenge}/accept", {})
        except urllib.error.HTTPError as error:
            print(error.read().decode(), flush=True)

    def play(self, table):
        live, answered = self.connect(f"/api/tables/{table}/live"), None
        while True:
            event = live.receive()
            if event is None:
                raise OSError("the connection broke")
            if event["event"] == "error":
                # Not done, mostly because it was too much at once. Who says again who it is sees the table again.
                time.sleep(PAUSE)
                answered = None
                live.send({"token": self.token})
            seen = event.get("table")
            if not seen:
                continue
            if seen["result"]:
                return json.dumps(seen["result"])
            view = seen["view"]
            ply = len(view["moves"])
            if view["to_move"] in seen["seats"] and answered != ply:
                answered = ply
                live.send({"do": "move", "move": self.choose(view), "ply": ply, "nr": ply})

    def choose(self, view):
        """Any legal move. This is where a real bot thinks."""
        return random.choice(view["legal"])["text"]


def main():
    parser = argparse.ArgumentParser(description="A bot that plays random legal moves.")
    parser.add_argument("--server", default="127.0.0.1:4680")
    parser.add_argument("--token", default="")
    parser.add_argument("--name", help="register under this name")
    parser.add_argument("--challenge", metavar="GAME", help="challenge everybody to a game")
    parser.add_argument("--games", type=int, default=1)
    options = parser.parse_args()
    bot = Bot(options.server, options.token)
    if not bot.token:
        if not options.name:
            parser.error("expected --token TOKEN, or --name NAME to register")
        bot.token = bot.post("/api/accounts", {"name": options.name, "bot": True})["token"]
        print(f"registered as {options.name}; the token is shown only once: {bot.token}", flush=True)
    bot.serve(options.challenge, options.games)


if __name__ == "__main__":
    main()
