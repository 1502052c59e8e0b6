"""What a member of a gang keeps from the jobs that it submits, and what no gang lets be chosen."""

import os
import re
import unittest
from pathlib import Path
from unittest import mock

from remuda._gangs import OF_ROLE, without_gang
from remuda._requests import job_request, variables

JAVA = "../../node-agent/src/main/java/io/remuda/agent/attempt/GangVariables.java"
SOURCE = (Path(__file__).resolve().parent.parent / JAVA).read_text(encoding="utf-8")


def listed(start, end):
    text = SOURCE[SOURCE.index(start) :]
    return set(re.findall(r'"(\w+)"', text[: text.index(end)]))


ROLE = listed("OF_ROLE =", ";")
NAMES = listed("NAMES =", ";") | ROLE | {"REMUDA_GANG_START"}
INTERFACES = listed("INTERFACES =", ";")


def submitted(env, gang):
    return job_request(["true"], env, "/", None, None, None, (), None, {"gang": gang})


class Gangs(unittest.TestCase):
    def test_all_that_a_member_is_told_is_kept_from_the_jobs_that_it_submits(self):
        self.assertGreater(len(NAMES), 25)
        self.assertEqual(INTERFACES, {"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"})
        for setting in ("own", "all"):
            told = dict.fromkeys(NAMES | INTERFACES, "1")
            told["REMUDA_SUBMIT_ENVIRONMENT"] = setting
            with mock.patch.dict(os.environ, told):
                self.assertEqual(set(variables(None)) & (NAMES | INTERFACES), set())
                self.assertEqual(variables({"RANK": "4"})["RANK"], "4")

    def test_what_a_task_with_a_role_is_told_is_kept_from_the_jobs_that_it_submits(self):
        self.assertEqual(OF_ROLE, ROLE)
        told = {name: "1" for name in OF_ROLE}
        self.assertEqual(without_gang({**told, "PATH": "/bin"}), {"PATH": "/bin"})
        self.assertEqual(without_gang({"JOB_INDEX": "3"}), {"JOB_INDEX": "3"})

    def test_what_no_gang_has_set_stays(self):
        own = dict.fromkeys((NAMES | INTERFACES) - {"REMUDA_GANG_START", "REMUDA_ROLE"}, "1")
        with mock.patch.dict(os.environ, own):
            self.assertEqual(set(own) - set(variables(None)), set())

    def test_what_a_member_is_told_cannot_be_chosen_for_a_gang(self):
        for name in NAMES:
            for gang in (True, {"mixed": True}, {"together": True}):
                with self.assertRaisesRegex(
                    ValueError, rf"^env\['{name}'\]: Remuda sets {name} for the members of a gang"
                ):
                    submitted({name: "1"}, gang)
        for gang in (False, {"together": False}):
            self.assertEqual(submitted({"RANK": "1"}, gang)["env"]["RANK"], "1")
        for name in INTERFACES:
            self.assertEqual(submitted({name: "eth0"}, True)["env"][name], "eth0")

    def test_nor_for_a_role(self):
        def role(env):
            return {"roles": {"Worker": {"count": 2, "env": env}}}

        for name in ("RANK", "REMUDA_TASK"):
            with self.assertRaisesRegex(
                ValueError,
                rf"^gang\['roles'\]\['Worker'\]\['env'\]\['{name}'\]: Remuda sets {name} for",
            ):
                submitted(None, role({name: "1"}))
        self.assertEqual(submitted(None, role({"A": "1"}))["gang"], role({"A": "1"}))
        submitted(None, {"together": False, **role({"RANK": "1"})})

    def test_a_copy_of_what_a_member_is_told_may_be_given(self):
        with mock.patch.dict(os.environ, {"REMUDA_GANG_START": "1", "RANK": "3"}):
            submitted(dict(os.environ), True)
