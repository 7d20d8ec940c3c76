"""The interface on Python's standard library: one thread for each connection, a fixed window for each key."""

import json
import math
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

FLAW = os.environ.get("FLAW", "")
STATUSES = ("available", "pending", "sold")
INT64 = range(-(2**63), 2**63)

# Requests and seconds of the window of each key; every client without a key shares one.
LIMITS = {
    os.environ["API_KEY"]: (1000, 60),
    os.environ["THROTTLE_KEY"]: (12, 3),
    None: (60, 60),
}

lock = threading.Lock()
pets = {}
windows = {}


class Refusal(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message, "status": status}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # head and body in one segment

    def do_GET(self):
        self.respond(self.get)

    def do_POST(self):
        self.respond(self.post)

    def respond(self, operation):
        self.rate = []
        try:
            body = b""
            if FLAW != "body-unread":
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.charge(self.caller())
            if FLAW == "body-unread":
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send(*operation(body))
        except Refusal as refusal:
            if FLAW == "headers-on-success":
                self.rate = []
            if FLAW == "send_error" and refusal.status == 404:
                return self.send_error(404)
            self.send(refusal.status, refusal.body)

    def caller(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        return token if scheme.lower() == "bearer" and token in LIMITS else None

    def charge(self, key):
        limit, seconds = LIMITS[key]
        with lock:
            start, used = windows.get(key, (0, 0))
            now = time.time()
            if now >= start + seconds:
                start, used = now, 0
            allowed = used < limit
            windows[key] = (start, used + allowed)
        reset = math.ceil(start + seconds)
        self.rate = [
            ("X-RateLimit-Limit", limit),
            ("X-RateLimit-Remaining", limit - used - allowed),
            ("X-RateLimit-Reset", reset),
        ]
        if not allowed:
            self.rate.append(("Retry-After", max(1, math.ceil(reset - now))))
            raise Refusal(429, "too_many_requests", "slow down")
        if key is None:
            raise Refusal(401, "unauthorized", "a valid API key is required")

    def get(self, _):
        url = urlsplit(self.path)
        if url.path == "/v1/pets":
            return 200, self.page(parse_qs(url.query))
        found = re.fullmatch(r"/v1/pets/([^/]+)", url.path)
        if not found:
            raise Refusal(404, "no_route", "there is nothing here")
        text = unquote(found[1])
        pet = pets.get(int(text)) if re.fullmatch(r"-?[0-9]{1,20}", text, re.ASCII) else None
        if not pet:
            raise Refusal(404, "no_pet", "there is no such animal")
        return 200, pet

    def page(self, query):
        limit, status = query.get("limit", ["20"])[0], query.get("status", [None])[0]
        if not re.fullmatch("[1-9][0-9]?|100", limit):
            raise Refusal(400, "bad_limit", "limit is a number from 1 to 100")
        if status not in (None, *STATUSES):
            raise Refusal(400, "bad_status", "status is one of available, pending, sold")
        with lock:
            found = [pet for pet in pets.values() if status in (None, pet.get("status"))]
        return found[: int(limit)]

    def post(self, body):
        if urlsplit(self.path).path != "/v1/pets":
            raise Refusal(404, "no_route", "there is nothing here")
        try:
            pet = json.loads(body)
        except ValueError:
            raise Refusal(400, "no_json", "the body is not JSON")
        problem = invalid(pet)
        if problem:
            raise Refusal(400, "bad_pet", problem)
        with lock:
            # Without a status, the animal has none: the interface leaves the default open.
            created = {"id": len(pets) + 1, "name": pet["name"], "categoryId": int(pet["categoryId"])}
            if "status" in pet:
                created["status"] = pet["status"]
            pets[created["id"]] = created
        return 201, created

    def send(self, status, body):
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", len(data))
        for name, value in self.rate:
            self.send_header(name, value)
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def invalid(pet):
    if not isinstance(pet, dict):
        return "the body is no object"
    name, category = pet.get("name"), pet.get("categoryId")
    if not isinstance(name, str) or "\0" in name:
        return "name is a text"
    if FLAW == "float" and isinstance(category, float):
        return None
    if not isinstance(category, int) or (isinstance(category, bool) and FLAW != "bool"):
        return "categoryId is an integer"
    if category not in INT64 and FLAW != "unbounded":
        return "categoryId is an int64"
    if "status" in pet and pet["status"] not in STATUSES:
        return "status is one of available, pending, sold"
    return None


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
