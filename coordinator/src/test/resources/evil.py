"""Listens on a port of loopback and prints what it is sent, as a program that is after tokens would.

Arguments: the user to become, and the port. It waits for the port to become free, prints "listening", and then for each
connection what came, as a Python literal. A TLS handshake is answered with a certificate of its own.
"""

import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

ANSWER = b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"jobs":[]}'


def identity():
    with tempfile.TemporaryDirectory() as folder:
        new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out c".split()
        subprocess.run(
            ["openssl", *new, "-subj", "/CN=remuda root"],
            cwd=folder, stderr=subprocess.DEVNULL, check=True,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/c", folder + "/k")
        return context


def hear(connection, context):
    said = b""
    try:
        connection.settimeout(10)
        first = connection.recv(1, socket.MSG_PEEK)
        if first == b"\x16":
            connection = context.wrap_socket(connection, server_side=True)
        while b"\r\n\r\n" not in said:
            part = connection.recv(1 << 16)
            if not part:
                break
            said += part
        connection.sendall(ANSWER)
    except OSError as fault:
        said += b" [" + str(fault).encode() + b"]"
    print(repr(said), flush=True)
    connection.close()


def become(user):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


become(int(sys.argv[1]))
context = identity()
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
while True:
    try:
        listener.bind(("127.0.0.1", int(sys.argv[2])))
        break
    except OSError:
        time.sleep(0.02)
listener.listen(50)
print("listening", flush=True)
while True:
    threading.Thread(target=hear, args=(listener.accept()[0], context), daemon=True).start()
