"""What a job gets of the environment and the limits of the process that submits it."""

import os
import resource
import unittest
from unittest import mock

from remuda import _launchers
from remuda._requests import job_request, variables


def left(**shell):
    return set(_launchers.without(shell))


def submitted(env):
    return job_request(["true"], env, "/", None, None, None, (), None, {})


class Launchers(unittest.TestCase):
    """The cases are those of LauncherVariablesTest of the command line."""

    def test_what_says_that_the_process_is_a_part_of_something_is_no_jobs(self):
        for name in (
            "SLURM_JOB_ID SLURMD_NODENAME PMI_RANK PMI2_RANK PMIX_NAMESPACE OMPI_COMM_WORLD_RANK"
            " OMPI_MCA_ess OMPI_MCA_orte_hnp_uri HYDI_CONTROL_FD MV2_COMM_WORLD_SIZE PALS_RANKID"
            " FLUX_JOB_ID PBS_NODEFILE LSB_JOBID _CONDOR_SCRATCH_DIR TORCHELASTIC_RUN_ID"
            " HOROVOD_RANK MAKELEVEL"
        ).split():
            self.assertEqual(left(A="1", **{name: "1"}), {"A"}, name)

    def test_what_configures_or_may_be_the_users_own_stays(self):
        for name in (
            "SLURM_CONF SLURM_CLUSTERS PMIX_MCA_gds OMPI_MCA_btl OMPI_CC FLUX_CONF_DIR LSB_DEFAULTQUEUE"
            " PBS_CONF_FILE _CONDOR_COLLECTOR_HOST SGE_ROOT MAKEFLAGS RANK WORLD_SIZE MASTER_PORT"
            " NSLOTS JOB_UUID REMUDA_HOME BASH_FUNC_module%%"
        ).split():
            self.assertEqual(left(**{name: "1"}), {name})

    def test_general_names_go_where_others_say_whose_they_are(self):
        self.assertEqual(left(OMPI_COMM_WORLD_RANK="3", RANK="3", MASTER_ADDR="x"), set())
        self.assertEqual(left(MAKELEVEL="1", MAKEFLAGS=" -j8"), set())
        self.assertEqual(left(MAKEFLAGS=" -j3 --jobserver-auth=3,4"), set())
        self.assertEqual(left(SGE_TASK_ID="1", NSLOTS="4"), set())
        self.assertEqual(left(REMUDA_LEASE="4", REMUDA_DEVICES="GPU-1", A="1"), {"A"})
        self.assertEqual(left(REMUDA_TRAINING_HOST="x", JOB_UUID="1"), set())

    def test_a_setting_passes_everything_on(self):
        self.assertEqual(
            left(SLURM_JOB_ID="5", REMUDA_SUBMIT_ENVIRONMENT="all"),
            {"SLURM_JOB_ID", "REMUDA_SUBMIT_ENVIRONMENT"},
        )
        with self.assertRaisesRegex(ValueError, "must be own or all, got 'none'"):
            left(REMUDA_SUBMIT_ENVIRONMENT="none")


class Submission(unittest.TestCase):
    def test_what_is_chosen_wins(self):
        with mock.patch.dict(os.environ, {"SLURM_PROCID": "3", "RANK": "3"}):
            self.assertNotIn("RANK", variables(None))
            self.assertEqual(variables({"RANK": "4"})["RANK"], "4")

    def test_a_variable_that_would_be_replaced_is_refused_unless_it_is_only_a_copy(self):
        with mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": "0"}):
            with self.assertRaisesRegex(ValueError, r"env\['CUDA_VISIBLE_DEVICES'\]: Remuda sets"):
                submitted({"CUDA_VISIBLE_DEVICES": "1"})
            submitted(dict(os.environ))

    def test_a_job_gets_the_soft_limits_of_the_process(self):
        asked = submitted(None)
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self.assertIn(f"nofile={files}", asked["env"]["REMUDA_LIMITS"].split(","))
        self.assertEqual(variables({"REMUDA_LIMITS": "cpu=1"})["REMUDA_LIMITS"], "cpu=1")


if __name__ == "__main__":
    unittest.main()
