"""Words, variables and folders are carried as they are, or refused."""

import os
import unittest
from unittest import mock

from remuda._requests import job_request

BAD = "caf\udce9"  # as Python reads the bytes caf\xe9


def request(argv=("true",), env=None, workdir="/"):
    return job_request(list(argv), env, workdir, None, None, None, (), None, {})


class Bytes(unittest.TestCase):
    def test_what_is_utf8_is_carried(self):
        asked = request(["echo", "café"], {"V": "naïve"}, "/tmp/café")
        self.assertEqual(["echo", "café"], asked["argv"])
        self.assertEqual("naïve", asked["env"]["V"])
        self.assertEqual("/tmp/café", asked["workdir"])

    def test_a_word_that_is_not_is_refused(self):
        with self.assertRaisesRegex(ValueError, r"^argv\[1\] caf\\udce9 is not UTF-8"):
            request(["echo", BAD])

    def test_a_variable_that_is_not_is_refused_and_not_shown(self):
        with mock.patch.dict(os.environ, {"SECRET": BAD}):
            with self.assertRaisesRegex(ValueError, "^the variable SECRET is not UTF-8"):
                request()

    def test_a_folder_that_is_not_is_refused(self):
        with self.assertRaisesRegex(ValueError, r"^the folder /caf\\udce9 is not UTF-8"):
            request(workdir="/" + BAD)


if __name__ == "__main__":
    unittest.main()
