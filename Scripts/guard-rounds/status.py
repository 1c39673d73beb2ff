"""A status server on the loopback interface. Its guards learn of a change at once, over a stream of events."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Longer than any round, so that only the stream brings a change.
RETRY = 600
# A comment keeps a stream from looking dead.
COMMENT_TIME = 5


class Status:
    """The status of one guard."""

    def __init__(self):
        self.changed = threading.Condition()
        self.is_over = False
        self.published = int(time.time() * 1000)
        self.document = self._document()

    @staticmethod
    def _document(inactive=False, update=False) -> str:
        return json.dumps({"apiInactive": inactive, "forceUpdate": update, "retryInterval": RETRY,
                           "userMessage": "Back at 14:30 UTC."})

    def kill(self):
        self._publish(self._document(inactive=True))

    def require_update(self):
        self._publish(self._document(update=True))

    def clear(self):
        self._publish(self._document())

    def end(self):
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def _publish(self, document: str):
        with self.changed:
            self.document = document
            self.published = max(self.published + 1, int(time.time() * 1000))
            self.changed.notify_all()

    def event(self) -> bytes:
        return (f"event: status\nid: {self.published}\npublished: {self.published}\ndata: {self.document}\n\n").encode()


class StatusServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.statuses: dict[str, Status] = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def add(self, name: str) -> Status:
        self.statuses[name] = Status()
        return self.statuses[name]

    def remove(self, name: str):
        self.statuses.pop(name).end()

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{name}/status"

    def handle_error(self, request, client_address):
        """A guard that ends closes its connections at any moment, which is no error."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        _, name, kind = (self.path.split("?")[0] + "//").split("/")[:3]
        status = self.server.statuses.get(name)
        if status is None or kind not in ("status", "events"):
            self.send_error(404)
        elif kind == "events":
            self._stream(status)
        else:
            self._reply(name, status)

    def _reply(self, name: str, status: Status):
        with status.changed:
            document, published = status.document.encode(), status.published
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(document)))
        self.send_header("Bellerophon-Events", f"/{name}/events")
        self.send_header("Bellerophon-Published", str(published))
        self.end_headers()
        self.wfile.write(document)

    def _stream(self, status: Status):
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        sent = None
        while not status.is_over:
            with status.changed:
                if status.published == sent:
                    status.changed.wait(COMMENT_TIME)
                text = status.event() if status.published != sent else b": here\n\n"
                sent = status.published
            self.wfile.write(text)
            self.wfile.flush()

    def log_message(self, *_):
        pass
