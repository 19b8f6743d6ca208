#!/usr/bin/env python3
"""Checks checkpoints, proofs and exports with nothing of ours: hashlib and `cryptography`.

    check_ledger.py checkpoint NOTE KEY           a signed note against a verifier key
    check_ledger.py proof PROOF.json KEY          inclusion proofs, and the note they stand under
    check_ledger.py growth OLD_NOTE NEW_NOTE GROWTH.json
    check_ledger.py export EXPORT.jsonl KEY       a whole ledger

Written from RFC 6962, RFC 9162 and the C2SP texts, recursive where ours loops. Exit code 0 only if
everything holds.
"""

import base64
import hashlib
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def leaf(data):
    return sha(b"\0", data)


def node(left, right):
    return sha(b"\1", left, right)


def split(n):
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def root(leaves):
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return node(root(leaves[:k]), root(leaves[k:]))


def root_from_path(index, size, leaf_hash, path):
    """RFC 6962 2.1.1 read backwards: the last hash of the path is the one nearest to the root."""
    if size == 1:
        assert not path, "hashes left over"
        return leaf_hash
    k = split(size)
    if index < k:
        return node(root_from_path(index, k, leaf_hash, path[:-1]), path[-1])
    return node(path[-1], root_from_path(index - k, size - k, leaf_hash, path[:-1]))


def roots_from_growth(old, size, whole, proof, old_root):
    """RFC 6962 2.1.2 read backwards: the older and the newer root that a proof leads to."""
    if old == size:
        if whole:
            assert not proof, "hashes left over"
            return old_root, old_root
        assert len(proof) == 1, "one hash wanted"
        return proof[0], proof[0]
    k = split(size)
    if old <= k:
        older, newer = roots_from_growth(old, k, whole, proof[:-1], old_root)
        return older, node(newer, proof[-1])
    older, newer = roots_from_growth(old - k, size - k, False, proof[:-1], old_root)
    return node(proof[-1], older), node(proof[-1], newer)


def read_note(note, verifier):
    name, key_id, key = verifier.strip().split("+", 2)
    key = base64.b64decode(key, validate=True)
    assert key[0] == 1 and len(key) == 33, "no Ed25519 key"
    assert sha(name.encode(), b"\n", key)[:4].hex() == key_id, "the key's id is another's"
    text, signatures = note.split("\n\n")
    text += "\n"
    good = False
    for line in signatures.rstrip("\n").split("\n"):
        dash, signer, data = line.split(" ")
        assert dash == "\u2014", "no signature line"
        data = base64.b64decode(data, validate=True)
        if signer == name and data[:4].hex() == key_id:
            Ed25519PublicKey.from_public_bytes(key[1:]).verify(data[4:], text.encode())
            good = True
    assert good, "not signed by this key"
    origin, size, root_text, end = text.split("\n")
    assert end == "" and origin == name
    return int(size), base64.b64decode(root_text, validate=True)


def check_checkpoint(note, key):
    size, head = read_note(open(note, encoding="utf-8").read(), key)
    print(f"checkpoint of {size} entries, root {head.hex()}")


def check_proof(file, key):
    proof = json.load(open(file, encoding="utf-8"))
    size, head = read_note(proof["checkpoint"], key)
    assert proof["entries"], "no entry"
    for one in proof["entries"]:
        data = one["bytes"].encode()
        assert json.loads(data)["seq"] == one["index"] + 1
        path = [bytes.fromhex(step) for step in one["proof"]]
        assert root_from_path(one["index"], size, leaf(data), path) == head, "another root"
    print(f"{len(proof['entries'])} entries stand under {size}")


def check_growth(old_note, new_note, file):
    def body(name):
        lines = open(name, encoding="utf-8").read().split("\n")
        return int(lines[1]), base64.b64decode(lines[2])

    (old, old_root), (new, new_root) = body(old_note), body(new_note)
    growth = json.load(open(file, encoding="utf-8"))
    assert (growth["old"], growth["new"]) == (old, new), "another pair of sizes"
    proof = [bytes.fromhex(step) for step in growth["proof"]]
    assert roots_from_growth(old, new, True, proof, old_root) == (old_root, new_root)
    print(f"{new} entries grew out of {old}")


def check_export(file, key):
    lines = [json.loads(line) for line in open(file, encoding="utf-8")]
    entries = [line["entry"].encode() for line in lines if "entry" in line]
    before = "0" * 64
    for seq, data in enumerate(entries, 1):
        entry = json.loads(data)
        canonical = json.dumps(entry, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        assert canonical.encode() == data, f"E-{seq} is not canonical"
        assert entry["seq"] == seq and entry["prev"] == before, f"E-{seq} is out of place"
        before = leaf(data).hex()
    head = root([leaf(data) for data in entries])
    assert lines[0]["root"] == head.hex() and lines[0]["entries"] == len(entries)
    assert lines[-1]["end"] == len(lines) - 1, "lines are missing"
    notes = [line["checkpoint"] for line in lines if "checkpoint" in line]
    assert notes and all(read_note(note, key) == (len(entries), head) for note in notes)
    print(f"{len(entries)} entries, root {head.hex()}")


def main():
    checks = {
        "checkpoint": check_checkpoint,
        "proof": check_proof,
        "growth": check_growth,
        "export": check_export,
    }
    try:
        checks[sys.argv[1]](*sys.argv[2:])
    except (AssertionError, InvalidSignature, ValueError, KeyError) as error:
        print(f"refused: {type(error).__name__} {error}")
        sys.exit(1)


main()
