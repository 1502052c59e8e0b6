package io.remuda.coordinator.cli.aichor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.OwnProcess;
import io.remuda.coordinator.cli.jobfile.BadJobFileException;
import io.remuda.coordinator.cli.jobfile.JobFileFaults;
import io.remuda.coordinator.cli.jobfile.JobFileReader;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.coordinator.rest.request.JobRequest;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a manifest. */
class ManifestSubmissionTest {
  private static final OwnProcess HERE = new OwnProcess();
  private static final SubmittingShellEnvironment SHELL =
      new SubmittingShellEnvironment(Map.of("PATH", "/bin"), "022");
  private static final long GB = 1L << 30;
  private static final ManifestSubmission.Containers NONE = ManifestSubmission.Containers.NONE;

  @TempDir private Path folder;

  private ManifestSubmission submission(String text) throws IOException, BadJobFileException {
    return submission(Files.writeString(folder.resolve("manifest.yaml"), text));
  }

  private static ManifestSubmission submission(Path file) throws BadJobFileException {
    return submission(file, NONE);
  }

  private static ManifestSubmission submission(Path file, ManifestSubmission.Containers containers)
      throws BadJobFileException {
    JobFileFaults faults = new JobFileFaults(file);
    return ManifestSubmission.of(
            file, JobFileReader.document(file, HERE, faults), HERE, SHELL, containers, faults)
        .orElseThrow();
  }

  private static GangTerms gang(ManifestSubmission submission) {
    return JobRequest.of(submission.request()).toNewJob("ann", List.of()).terms().gang();
  }

  private static String manifest(String operator, String types) {
    return """
    kind: AIchorManifest
    apiVersion: 0.2.3
    builder: {}
    spec:
      operator: %s
      image: demo
      command: python train.py
      types: %s
    """
        .formatted(operator, types);
  }

  @Test
  void the_least_memory_is_a_limit_too() {
    assertEquals("2GB", ResourcesReader.gigabytes(2));
    assertEquals("0.25GB", ResourcesReader.gigabytes(0.25));
    assertEquals("0.001GB", ResourcesReader.gigabytes(0.0001));
  }

  @Test
  void the_guides_manifest_is_five_workers_that_start_together() throws Exception {
    ManifestSubmission guide =
        submission(Path.of("..", "examples", "aichor-multi-jobs", "manifest.yaml"));
    assertEquals("python3 -u src/main.py", guide.request().get("shell"));
    assertEquals("aichor-multi-jobs", guide.request().get("name"));
    assertEquals(
        new GangTerms(
            true,
            GangTerms.Failure.FAIL,
            false,
            List.of(
                new GangRoleSpec(
                    "Worker", 5, 1, 0, new ResourceRequest(0.2, 0, Math.round(0.2 * GB))))),
        gang(guide));
    assertEquals(List.of("builder", "spec.image"), guide.unused());
  }

  @Test
  void its_own_variables_are_known_apart_from_those_of_the_shell() throws Exception {
    ManifestSubmission job =
        submission(
            manifest("jax", "{Worker: {resources: {ramRatio: 1}}}")
                + "  env: {PATH: /opt/bin, SEED: 7}\n");
    assertTrue(job.variables().containsAll(List.of("PATH", "SEED", "AICHOR_INPUT_PATH")));
    assertEquals(
        "/opt/bin", ((Map<?, ?>) job.request().get("env")).get("PATH"), "not that of the shell");
  }

  @Test
  void a_manifest_need_not_say_its_kind_and_version() throws Exception {
    String whole = manifest("jax", "{Worker: {count: 3, resources: {ramRatio: 1}}}");
    String bare = whole.replaceFirst("kind.*\napiVersion.*\n", "");
    assertTrue(bare.startsWith("builder"), bare);
    assertEquals(gang(submission(whole)), gang(submission(bare)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{shell: x}",
        "{shell: x, operator: tf}",
        "{shell: x, spec: tf}",
        "{shell: x, spec: {image: a}}",
        "{kind: Job, spec: {operator: tf}}",
        "[{spec: {operator: tf}}]"
      })
  void what_has_neither_kind_nor_operator_is_a_job_file(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("jobs.yaml"), text);
    JobFileFaults faults = new JobFileFaults(file);
    assertTrue(
        ManifestSubmission.of(
                file, JobFileReader.document(file, HERE, faults), HERE, SHELL, NONE, faults)
            .isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tf", "pytorch", "xgboost"})
  void a_master_has_rank_0_wherever_it_stands(String operator) throws Exception {
    ManifestSubmission job =
        submission(
            manifest(
                operator,
                "{Worker: {count: 3, resources: {cpus: 2, ramRatio: 4}},"
                    + " Master: {resources: {memory: 512MB}}}"));
    assertEquals(
        List.of(
            new GangRoleSpec("Master", 1, 1, 0, new ResourceRequest(1, 0, GB / 2)),
            new GangRoleSpec("Worker", 3, 1, 0, new ResourceRequest(2, 0, 8 * GB))),
        gang(job).roles());
    assertTrue(gang(job).together());
  }

  @Test
  void jax_has_workers_of_either_spelling() throws Exception {
    for (String name : List.of("Worker", "worker")) {
      ManifestSubmission job =
          submission(manifest("jax", "{" + name + ": {count: 2, resources: {ramRatio: 1}}}"));
      assertEquals(name, gang(job).roles().get(0).name());
    }
  }

  @Test
  void the_types_of_a_jobset_start_one_by_one() throws Exception {
    ManifestSubmission job =
        submission(
            manifest(
                "jobset",
                "{heavy: {resources: {cpus: 8, memory: 64}}, light-2: {count: 10, completions: 10,"
                    + " parallelisms: 2, resources: {ramRatio: 1}}}"));
    assertEquals(
        new GangTerms(
            false,
            GangTerms.Failure.FAIL,
            false,
            List.of(
                new GangRoleSpec("heavy", 1, 1, 0, new ResourceRequest(8, 0, 64 * GB)),
                new GangRoleSpec("light-2", 10, 10, 2, new ResourceRequest(1, 0, GB)))),
        gang(job));
  }

  @Test
  void gpus_have_the_product_as_their_model() throws Exception {
    ResourceRequest whole = gpus(2, "NVIDIA-A100-SXM4-80GB");
    assertEquals(2, whole.gpus());
    assertEquals("NVIDIA-A100-SXM4-80GB", whole.gpuModel());
    ResourceRequest slice = gpus(1, "NVIDIA-A100-SXM4-80GB-MIG-3g.40gb");
    assertEquals(1, slice.gpus());
    assertEquals("NVIDIA-A100-SXM4-80GB-MIG-3g.40gb", slice.gpuModel());
    String no =
        assertThrows(BadJobFileException.class, () -> gpus(2, "NVIDIA-A100-SXM4-80GB-MIG-3g.40gb"))
            .getMessage();
    assertTrue(no.contains("a CUDA program sees one slice only"), no);
  }

  private ResourceRequest gpus(int count, String product) throws Exception {
    ManifestSubmission job =
        submission(
            manifest(
                "pytorch",
                "{Worker: {resources: {ramRatio: 2, accelerators: {gpu: {count: "
                    + count
                    + ", type: gpu, product: "
                    + product
                    + "}}}}}"));
    return gang(job).roles().get(0).request();
  }

  @Test
  void everything_else_is_read_and_what_is_not_used_is_named() throws Exception {
    ManifestSubmission job =
        submission(
            """
            kind: AIchorManifest
            apiVersion: 0.2.2
            clone: {includeDotGit: true, submodules: recursive, depth: 3}
            builder:
              image: demo
              dockerfile: ./Dockerfile
              context: .
              target: run
              registry: internal
              buildArgs: {A: 1, B: two}
              skipBuild: {enabled: true, experimentID: x, failIfNotFound: false}
            spec:
              operator: xgboost
              image: demo
              command: python train.py
              timeout: 6h
              env: {EPOCHS: 3, NAME: a b}
              tensorboard: {enabled: true}
              debug: {vscode: true, jupyter: false}
              storage:
                sharedVolume: {mountPoint: /mnt, sizeGB: 5, storageClass: fast, accessMode: RWX}
                attachExistingPVCs: [{name: data, mountPoint: /data}]
              rayVersion: 2.9.0
              types:
                Worker:
                  count: 2
                  resources:
                    {ramRatio: 1, cpuLimitRatio: 2, shmSizeGB: 1, rdma: {devices: [a, b]}}
            """);
    assertEquals(
        List.of(
            "builder",
            "spec.image",
            "spec.types.Worker.resources.shmSizeGB",
            "clone",
            "spec.tensorboard",
            "spec.debug",
            "spec.storage",
            "spec.rayVersion",
            "spec.types.Worker.resources.rdma"),
        job.unused());
    assertEquals("6h", job.request().get("jobTimeLimit"));
    Map<?, ?> env = (Map<?, ?>) job.request().get("env");
    assertEquals("3", env.get("EPOCHS"));
    assertEquals("a b", env.get("NAME"));
    assertEquals("/bin", env.get("PATH"));
  }

  @Test
  void each_submission_has_an_id_and_folders_of_its_own() throws Exception {
    String text = manifest("tf", "{Worker: {resources: {ramRatio: 1}}}");
    Map<?, ?> one = (Map<?, ?>) submission(text).request().get("env");
    ManifestSubmission again = submission(text);
    Map<?, ?> other = (Map<?, ?>) again.request().get("env");
    assertTrue(!one.get("AICHOR_EXPERIMENT_ID").equals(other.get("AICHOR_EXPERIMENT_ID")));
    again.prepare(HERE);
    for (String name : List.of("INPUT", "OUTPUT", "TENSORBOARD", "LOGS")) {
      assertTrue(Files.isDirectory(Path.of((String) other.get("AICHOR_" + name + "_PATH"))), name);
    }
    assertEquals(folder.getFileName().toString(), other.get("AICHOR_EXPERIMENT_MESSAGE"));
  }

  @Test
  void a_list_of_variables_and_a_deadline_in_seconds_are_understood() throws Exception {
    ManifestSubmission job =
        submission(
            manifest("tf", "{Worker: {resources: {ramRatio: 1}}}")
                + "  env: [{name: A, value: b}]\n  activeDeadlineSeconds: 90\n");
    assertEquals("b", ((Map<?, ?>) job.request().get("env")).get("A"));
    assertEquals("90s", job.request().get("jobTimeLimit"));
  }

  @Test
  void with_an_engine_its_image_is_built_and_its_limits_are_those_of_containers() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("manifest.yaml"),
            """
            kind: AIchorManifest
            builder:
              {image: demo, dockerfile: ./Dockerfile, context: src, target: run, buildArgs: {A: 1}}
            spec:
              operator: tf
              image: demo
              command: x
              types:
                Worker: {resources: {cpus: 2, cpuLimitRatio: 3, ramRatio: 1, shmSizeGB: 4}}
            """);
    ManifestSubmission job = submission(file, new ManifestSubmission.Containers(true, "podman"));
    assertEquals(
        List.of(
            "podman",
            "build",
            "--tag",
            "demo",
            "--file",
            "./Dockerfile",
            "--target",
            "run",
            "--build-arg",
            "A=1",
            "--",
            "src"),
        job.build());
    CommandWorkload work =
        (CommandWorkload) JobRequest.of(job.request()).toNewJob("ann", List.of()).tasks().get(0);
    assertEquals(ContainerTerms.of("demo").limited(4 * GB, 6), work.container());
    assertEquals(List.of(), job.unused());
    assertEquals(
        null, submission(file, new ManifestSubmission.Containers(true, "bubblewrap")).build());
  }

  @Test
  void a_job_file_is_no_manifest() throws Exception {
    Path file = Files.writeString(folder.resolve("jobs.yaml"), "{shell: x}");
    JobFileFaults faults = new JobFileFaults(file);
    assertTrue(
        ManifestSubmission.of(
                file, JobFileReader.document(file, HERE, faults), HERE, SHELL, NONE, faults)
            .isEmpty());
  }

  static Stream<Path> examples() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("..", "examples", "aichor-multi-jobs"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void the_examples_are_good(Path file) throws Exception {
    assertTrue(gang(submission(file)).roles().size() >= 1);
  }
}
