"""What a real server does too rarely: losing connections, putting off, breaking off."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from email.message import Message
from pathlib import Path
from typing import Dict, List
from unittest import mock

import remuda
from remuda import _transport
from tests import fake

NEW = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=remuda root")

class TransportTest(unittest.TestCase):
    def test_a_submission_whose_answer_is_lost_is_sent_again_under_the_same_key(self) -> None:
        created = fake.whole(201, {"ids": [1]})
        with fake.server(fake.nothing, created, fake.job()) as (home, asked):
            with remuda.Client(home) as client:
                self.assertEqual(client.submit(["true"]).id, 1)
        (first, sent), (second, again), _ = asked
        self.assertEqual([first, second], ["/api/v1/jobs"] * 2)
        self.assertTrue(sent["clientKey"])
        self.assertEqual(sent, again)

    def test_a_requeue_whose_answer_is_lost_is_sent_once(self) -> None:
        with fake.server(fake.nothing, fake.whole(200, {"id": 1})) as (home, asked):
            with remuda.Client(home) as client:
                with self.assertRaisesRegex(remuda.ServerUnavailable, "look whether it was done"):
                    client.requeue(1)
        self.assertEqual(len(asked), 1)

    def test_a_cancel_whose_answer_is_lost_is_sent_again(self) -> None:
        with fake.server(fake.nothing, fake.whole(200, {"id": 1})) as (home, asked):
            with remuda.Client(home) as client:
                client.cancel(1)
        self.assertEqual(len(asked), 2)

    def test_what_is_not_known_to_do_no_harm_twice_is_sent_once(self) -> None:
        keyed = {"argv": ["true"], "clientKey": "k"}
        for method, path, body, again in (
            ("GET", "/anything", None, True),
            ("POST", "/anything", None, False),
            ("POST", "/jobs/1/signal?signal=USR1", None, False),
            ("POST", "/jobs", {"argv": ["true"]}, False),
            ("POST", "/jobs", keyed, True),
            ("POST", "/jobs", {"jobs": [keyed, {"argv": ["true"]}]}, False),
            ("POST", "/jobs/change", {"action": "cancel", "jobs": "1-20"}, True),
            ("POST", "/jobs/change", {"action": "cancel-now", "jobs": "1-20"}, True),
            ("POST", "/jobs/change", {"action": "hold", "jobs": "1-20"}, True),
            ("POST", "/jobs/change", {"action": "release", "jobs": "1-20"}, True),
            ("POST", "/jobs/change", {"action": "requeue", "jobs": "1-20"}, False),
            ("POST", "/jobs/change", {"action": "requeue-on-hold", "jobs": "1-20"}, False),
            ("POST", "/jobs/change", {"action": ["hold"], "jobs": "1-20"}, False),
            ("POST", "/jobs/change", None, False),
        ):
            with self.subTest(path=path, body=body):
                self.assertEqual(_transport._may_be_repeated(method, path, body), again)

    def test_an_answer_that_breaks_off_is_asked_for_again(self) -> None:
        with fake.server(fake.truncated, fake.job()) as (home, asked):
            with remuda.Client(home) as client:
                self.assertEqual(client.show(1).name, "n")
        self.assertEqual(len(asked), 2)

    def test_a_request_that_is_put_off_waits_as_long_as_it_is_told(self) -> None:
        for status in (429, 503):
            off = fake.whole(status, {"error": {"message": "later"}}, Retry_After="1")
            with self.subTest(status), fake.server(off, fake.job()) as (home, asked):
                begin = time.monotonic()
                with remuda.Client(home) as client:
                    client.show(1)
                self.assertGreaterEqual(time.monotonic() - begin, 1)
                self.assertEqual(len(asked), 2)

    def test_a_request_that_is_put_off_for_longer_than_the_patience_fails(self) -> None:
        off = fake.whole(429, {"error": {"message": "too often"}}, Retry_After="9")
        with fake.server(off) as (home, _), remuda.Client(home, patience=1) as client:
            with self.assertRaisesRegex(remuda.ServerUnavailable, "too often") as raised:
                client.show(1)
        self.assertEqual(raised.exception.status, 429)

    def test_a_full_disk_is_told_at_once(self) -> None:
        full = fake.whole(503, {"error": {"message": "no room", "todo": "make some"}})
        with fake.server(full) as (home, asked), remuda.Client(home) as client:
            with self.assertRaisesRegex(remuda.ServerUnavailable, r"no room \(make some\)"):
                client.submit(["true"])
        self.assertEqual(len(asked), 1)

    def test_waiting_goes_on_after_the_last_event_when_it_is_cut_off(self) -> None:
        told = fake.events("data:{}\nevent:task-running\nid:7\n\n")
        end = fake.events("data:{}\nevent:job-succeeded\nid:9\n\n")
        over = fake.job(state="succeeded", exitCode=0)
        script = (fake.job(), told, fake.job(), end, over)
        with fake.server(*script) as (home, asked), remuda.Client(home) as client:
            self.assertTrue(client.wait(1, timeout=30)[0].succeeded)
        paths = [path for path, _ in asked if "events" in path]
        self.assertEqual(paths, ["/api/v1/jobs/1/events", "/api/v1/jobs/1/events?after=7"])

    def test_a_server_that_was_reached_is_asked_again_where_its_access_file_says(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with fake.server(fake.job()) as (first, _):
                _copy_access(first, folder)
                client = remuda.Client(folder)
                client.show(1)
            with fake.server(fake.job(name="moved")) as (second, _), client:
                back = mock.Mock(side_effect=lambda seconds: _copy_access(second, folder))
                with mock.patch("remuda._transport.time.sleep", back):
                    self.assertEqual(client.show(1).name, "moved")
            self.assertEqual(back.call_count, 1)

    def test_a_server_that_resets_the_first_connections_is_asked_again(self) -> None:
        """As one does with handshakes that take too long, when it is busy with many others."""
        for resets, asks in ((2, 3), (9, 3)):
            lost = [ConnectionResetError("reset")] * resets
            with self.subTest(resets), tempfile.TemporaryDirectory() as folder, fake.in_clear_text():
                client = remuda.Client(fake.access(folder, "http://127.0.0.1:1"))
                answer = _transport.Answer(200, Message(), b'{"nodes": []}')
                once = mock.Mock(side_effect=[*lost, answer])
                with mock.patch.object(client._transport, "_once", once):
                    if resets < asks:
                        self.assertEqual(client.nodes(), [])
                    else:
                        self.assertRaises(remuda.ServerUnavailable, client.nodes)
                self.assertEqual(once.call_count, asks)

    def test_no_proxy_sees_the_token(self) -> None:
        with mock.patch.dict(os.environ, http_proxy="http://127.0.0.1:1", no_proxy=""):
            with fake.server(fake.job()) as (home, asked), remuda.Client(home) as client:
                client.show(1)
        self.assertEqual(len(asked), 1)


def _copy_access(home: Path, folder: str) -> None:
    text = (home / "access.json").read_text()
    fake.access(folder, json.loads(text)["rest"])


@unittest.skipUnless(shutil.which("openssl"), "there is no openssl to make certificates with")
class StrangerTest(unittest.TestCase):
    """Another program has the port of a server that is away."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self._openssl("req", "-x509", "-keyout", "server.key", "-out", "server.pem", *NEW)

    def _openssl(self, *words: str) -> None:
        subprocess.run(
            ["openssl", *words], cwd=self.folder, stderr=subprocess.DEVNULL, check=True, timeout=60
        )

    def _show(
        self, chain: str, key: str, dead: str = "", trusted: str = "", busy_seconds: float = 0
    ) -> List[bytes]:
        """What a program is sent that shows such a certificate; ``dead`` is asked before it."""
        heard: List[bytes] = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / chain, self.folder / key)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            thread = threading.Thread(target=_hear, args=(listener, context, heard, busy_seconds))
            thread.start()
            pin = (self.folder / "server.pem").read_text()
            rest = f"https://127.0.0.1:{listener.getsockname()[1]}"
            fake.access(str(self.folder), rest)
            fields: Dict[str, object] = {"rest": rest, "token": "secret", "pin": pin}
            if trusted:
                fields["trusted"] = [(self.folder / trusted).read_text()]
            if dead:
                fields.update(rest=dead, others=[rest])
            (self.folder / "access.json").write_text(json.dumps(fields))
            try:
                with remuda.Client(self.folder, patience=0) as client:
                    client.nodes()
            except remuda.ServerUnavailable as refused:
                self.refused = str(refused)
            thread.join()
        return heard

    def test_one_with_a_certificate_of_the_same_name_is_told_nothing(self) -> None:
        self._openssl("req", "-x509", "-keyout", "evil.key", "-out", "evil.pem", *NEW)
        self.assertEqual(self._show("evil.pem", "evil.key"), [])
        self.assertIn("not this server", self.refused)

    def test_one_whose_certificate_the_servers_key_has_signed_is_told_nothing(self) -> None:
        request = ("-keyout", "leaf.key", "-out", "leaf.csr", *NEW)
        self._openssl("req", *request)
        signer = ("-CA", "server.pem", "-CAkey", "server.key", "-CAcreateserial")
        self._openssl("x509", "-req", "-in", "leaf.csr", *signer, "-out", "leaf.pem")
        leaf, server = (self.folder / name for name in ("leaf.pem", "server.pem"))
        (self.folder / "chain.pem").write_text(leaf.read_text() + server.read_text())
        self.assertEqual(self._show("chain.pem", "leaf.key"), [])
        self.assertIn("not this server", self.refused)

    def test_the_server_itself_is_told_the_token(self) -> None:
        (sent,) = self._show("server.pem", "server.key")
        self.assertIn(b"Bearer secret", sent)

    def test_one_that_shows_the_next_key_of_the_cluster_is_told_the_token(self) -> None:
        self._openssl("req", "-x509", "-keyout", "next.key", "-out", "next.pem", *NEW)
        (sent,) = self._show("next.pem", "next.key", trusted="next.pem")
        self.assertIn(b"Bearer secret", sent)
        (sent,) = self._show("server.pem", "server.key", trusted="next.pem")
        self.assertIn(b"Bearer secret", sent)

    def test_a_busy_server_may_take_longer_than_a_connection(self) -> None:
        with mock.patch("remuda._transport.CONNECT_SECONDS", 0.1):
            (sent,) = self._show("server.pem", "server.key", busy_seconds=0.3)
        self.assertIn(b"Bearer secret", sent)

    def test_another_coordinator_of_the_cluster_is_asked_when_one_is_away(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            dead = f"https://127.0.0.1:{unused.getsockname()[1]}"
            (sent,) = self._show("server.pem", "server.key", dead)
        self.assertIn(b"Bearer secret", sent)

    def test_another_coordinator_is_told_nothing_without_its_proof(self) -> None:
        self._openssl("req", "-x509", "-keyout", "evil.key", "-out", "evil.pem", *NEW)
        self.assertEqual(self._show("evil.pem", "evil.key", "https://127.0.0.1:9"), [])


def _hear(
    listener: socket.socket, context: ssl.SSLContext, heard: List[bytes], busy_seconds: float
) -> None:
    try:
        connection, _ = listener.accept()
        time.sleep(busy_seconds)
        with connection, context.wrap_socket(connection, server_side=True) as proved:
            received = proved.recv(1 << 16)
            if received:
                heard.append(received)
    except OSError:
        return


class AccessTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)

    def test_without_an_access_file_it_says_how_to_start_a_server(self) -> None:
        with self.assertRaisesRegex(
            remuda.ServerUnavailable, f"{self.home}: start one with remuda"
        ):
            remuda.Client(self.home)

    def test_a_server_that_was_never_reached_is_not_waited_for(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            rest = f"http://127.0.0.1:{unused.getsockname()[1]}"
            client = remuda.Client(fake.access(str(self.home), rest))
            with self.assertRaisesRegex(remuda.ServerUnavailable, f"{rest}.*refused.*remuda serve"):
                client.nodes()
            with self.assertRaises(ConnectionError):
                client.nodes()

    def test_a_file_that_others_may_use_is_refused(self) -> None:
        fake.access(str(self.home), "http://127.0.0.1:1")
        for mode in (0o640, 0o604, 0o620):
            (self.home / "access.json").chmod(mode)
            with self.subTest(mode), self.assertRaisesRegex(remuda.Forbidden, "chmod 600"):
                remuda.Client(self.home)

    def test_another_users_file_is_refused(self) -> None:
        fake.access(str(self.home), "http://127.0.0.1:1")
        with mock.patch("os.geteuid", return_value=os.geteuid() + 1):
            with self.assertRaisesRegex(remuda.Forbidden, "another user's"):
                remuda.Client(self.home)

    def test_a_file_of_a_build_that_sent_tokens_in_clear_text_is_not_used(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as evil:
            evil.settimeout(0.2)
            rest = f"http://127.0.0.1:{evil.getsockname()[1]}"
            for owner, todo in (({"privateKey": "k"}, "remuda serve"), ({}, "remuda user add ann")):
                fields = {"rest": rest, "token": "secret", "user": "ann", **owner}
                fake.access(str(self.home), rest)
                (self.home / "access.json").write_text(json.dumps(fields))
                with self.subTest(todo), self.assertRaisesRegex(remuda.ServerUnavailable, todo):
                    remuda.Client(self.home)
            with self.assertRaises(socket.timeout):
                evil.accept()

    def test_a_server_that_was_started_insecurely_is_used_with_a_warning(self) -> None:
        with fake.server(fake.job()) as (home, _), self.assertWarnsRegex(UserWarning, "clear text"):
            with remuda.Client(home) as client:
                client.show(1)

    def test_a_damaged_file_is_named(self) -> None:
        fake.access(str(self.home), "http://127.0.0.1:1")
        for text in ("{", "[]", "{}", '{"rest": "https://127.0.0.1:1", "token": "t"}'):
            (self.home / "access.json").write_text(text)
            with self.subTest(text), self.assertRaisesRegex(
                remuda.RemudaError, "access.json is dam"
            ):
                remuda.Client(self.home)


if __name__ == "__main__":
    unittest.main()
