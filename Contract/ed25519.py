"""Verification of Ed25519 signatures (RFC 8032), because Python's standard library has none. For tests: it is slow."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
NEUTRAL = (0, 1, 1, 0)  # points are in extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z


def add(one, other):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b, c, d = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2), 2 * D * t1 * t2, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(number, point):
    result = NEUTRAL
    while number:
        result = add(result, point) if number & 1 else result
        point, number = add(point, point), number >> 1
    return result


def decode(data):
    """The point of 32 bytes. A ValueError if there is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    if len(data) != 32 or y >= P or x * x % P != square or x == 0 and sign:
        raise ValueError("no point of the curve")
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


def encode(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_weak(key):
    """Whether the key is a point of small order. Anybody can make a signature for such a key."""
    return encode(multiply(8, decode(key))) == encode(NEUTRAL)


def is_valid(key, text, signature):
    number = int.from_bytes(signature[32:], "little")
    digest = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % ORDER
    x, y, z, t = decode(key)
    point = add(multiply(number, BASE), multiply(digest, (P - x, y, z, P - t)))
    return len(signature) == 64 and number < ORDER and encode(point) == signature[:32]
