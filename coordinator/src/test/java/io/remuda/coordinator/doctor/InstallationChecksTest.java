package io.remuda.coordinator.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.doctor.DoctorFinding.Verdict;
import io.remuda.coordinator.testkit.TinyMnist;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationChecksTest {
  @TempDir private Path folder;

  private DoctorFinding data() {
    return InstallationChecks.data(Map.of(), folder);
  }

  private DoctorFinding dataIn(Path given) {
    return InstallationChecks.data(Map.of("MNIST_DIR", given.toString()), folder);
  }

  private Path binWithSrun() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path srun = Files.writeString(bin.resolve("srun"), "#!/bin/sh\n");
    assertTrue(srun.toFile().setExecutable(true));
    return bin;
  }

  @Test
  void an_empty_cache_is_filled_by_the_first_run() {
    DoctorFinding finding = data();
    assertEquals(Verdict.WARNING, finding.verdict());
    assertTrue(finding.todo().contains("downloads"), finding.todo());
    assertTrue(finding.todo().contains("MNIST_DIR"), finding.todo());
  }

  @Test
  void a_filled_cache_is_good() throws IOException {
    Path mnist = TinyMnist.write(folder.resolve("mnist"), 20, 10);
    assertEquals(Verdict.GOOD, data().verdict());
    assertTrue(data().found().contains(mnist.toString()), data().found());
    Files.move(mnist.resolve("t10k-labels-idx1-ubyte"), mnist.resolve("t10k-labels-idx1-ubyte.gz"));
    assertEquals(Verdict.GOOD, data().verdict(), "packed");
  }

  @Test
  void a_download_that_was_cut_off_has_not_filled_the_cache() throws IOException {
    Path mnist = TinyMnist.write(folder.resolve("mnist"), 20, 10);
    Path last = mnist.resolve("t10k-labels-idx1-ubyte");
    Files.move(last, mnist.resolve("t10k-labels-idx1-ubyte.gz.part"));
    assertEquals(Verdict.WARNING, data().verdict());
    Files.copy(
        mnist.resolve("train-labels-idx1-ubyte"), mnist.resolve("train-labels-idx1-ubyte.gz"));
    assertEquals(Verdict.WARNING, data().verdict(), "one is there twice");
  }

  @Test
  void an_empty_mnist_dir_is_none() {
    assertEquals(
        Verdict.WARNING, InstallationChecks.data(Map.of("MNIST_DIR", " "), folder).verdict());
  }

  @Test
  void a_mnist_dir_that_a_run_would_refuse_is_broken() throws IOException {
    Path nowhere = folder.resolve("nowhere");
    assertEquals(Verdict.BROKEN, dataIn(nowhere).verdict());
    assertTrue(dataIn(nowhere).found().contains(nowhere.toString()), dataIn(nowhere).found());
    Path another = TinyMnist.write(folder.resolve("another-set"), 20, 10);
    assertEquals(Verdict.BROKEN, dataIn(another).verdict());
    assertTrue(dataIn(another).todo().contains("MNIST_DIR"), dataIn(another).todo());
  }

  @Test
  void the_loopback_can_be_listened_on() {
    assertTrue(
        InstallationChecks.ports().verdict() != Verdict.BROKEN, InstallationChecks.ports().found());
  }

  @Test
  void without_slurm_nothing_is_wrong() {
    assertEquals(
        "not installed", InstallationChecks.slurm(Map.of("PATH", folder.toString())).found());
    assertEquals("not installed", InstallationChecks.slurm(Map.of()).found());
  }

  @Test
  void a_login_node_of_slurm_is_no_job() throws IOException {
    DoctorFinding finding = InstallationChecks.slurm(Map.of("PATH", "/none:" + binWithSrun()));
    assertEquals(Verdict.GOOD, finding.verdict());
    assertEquals("installed; not in a job", finding.found());
  }

  @Test
  void a_job_is_named_with_its_nodes() throws IOException {
    DoctorFinding finding =
        InstallationChecks.slurm(
            Map.of(
                "PATH", binWithSrun().toString(),
                "SLURM_JOB_ID", "17",
                "SLURM_JOB_NODELIST", "gpu[1-3]"));
    assertEquals(Verdict.GOOD, finding.verdict());
    assertTrue(finding.found().startsWith("in job 17 with nodes gpu[1-3]"), finding.found());
  }

  @Test
  void a_job_without_srun_is_broken() throws IOException {
    Path bin = binWithSrun();
    assertTrue(bin.resolve("srun").toFile().setExecutable(false));
    DoctorFinding finding =
        InstallationChecks.slurm(Map.of("PATH", bin.toString(), "SLURM_JOB_ID", "17"));
    assertEquals(Verdict.BROKEN, finding.verdict());
    assertTrue(finding.todo().contains("PATH"), finding.todo());
  }
}
