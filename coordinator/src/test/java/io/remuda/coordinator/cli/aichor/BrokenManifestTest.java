package io.remuda.coordinator.cli.aichor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.OwnProcess;
import io.remuda.coordinator.cli.jobfile.BadJobFileException;
import io.remuda.coordinator.cli.jobfile.JobFileFaults;
import io.remuda.coordinator.cli.jobfile.JobFileReader;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A good manifest with one line replaced by a bad one: what is told, with line and column. */
class BrokenManifestTest {
  private static final List<String> GOOD =
      List.of(
          "kind: AIchorManifest",
          "apiVersion: 0.2.3",
          "builder:",
          "  image: demo",
          "spec:",
          "  operator: tf",
          "  image: demo",
          "  command: python train.py",
          "  types:",
          "    Worker:",
          "      count: 2",
          "      resources:",
          "        cpus: 1",
          "        ramRatio: 2");

  @TempDir private Path folder;

  /**
   * A line of the manifest that is replaced.
   *
   * @param fault {@code LINE:COLUMN: text}, as it is told
   */
  private record Replaced(int line, String by, String fault) {}

  static Stream<Replaced> replaced() {
    return Stream.of(
        new Replaced(
            1, "kind: AichorManifest", "1:7: kind must be AIchorManifest, got 'AichorManifest'"),
        new Replaced(
            2, "apiVersion: 0.3.0", "2:13: apiVersion must be 0.2.1, 0.2.2 or 0.2.3, got '0.3.0'"),
        new Replaced(2, "apiVersion: [0.2.3]", "2:13: apiVersion must be a text, got a list"),
        new Replaced(
            2,
            "version: 0.2.3",
            "2:1: version is unknown: there are apiVersion, builder, clone, kind, spec"),
        new Replaced(
            4,
            "  imag: demo",
            "4:3: builder.imag is unknown: there are buildArgs, context, dockerfile, image, registry, skipBuild, target"),
        new Replaced(
            4,
            "  image: other",
            "7:10: spec.image must be that of the builder, 'other', got 'demo'"),
        new Replaced(4, "  image: \"\"", "4:10: builder.image must not be empty"),
        new Replaced(4, "  skipBuild: yes", "4:14: builder.skipBuild must be a map, got 'yes'"),
        new Replaced(
            4,
            "  skipBuild: {enabled: maybe}",
            "4:24: builder.skipBuild.enabled must be true or false, got 'maybe'"),
        new Replaced(
            4, "  buildArgs: {A: [1]}", "4:18: builder.buildArgs.A must be a text, got a list"),
        new Replaced(
            6,
            "  operator: kuberay",
            "6:13: spec.operator kuberay is not supported: Remuda starts no Ray cluster; start one in a gang's first member, or use jobset"),
        new Replaced(
            6,
            "  operator: spark",
            "6:13: spec.operator must be tf, pytorch, jax, xgboost or jobset, got 'spark'"),
        new Replaced(6, "  rayVersion: 2", "6:3: spec has no operator"),
        new Replaced(7, "  rayVersion: 2", "6:3: spec has no image"),
        new Replaced(8, "  rayVersion: 2", "6:3: spec has no command"),
        new Replaced(8, "  command:", "8:11: spec.command must be a text, got nothing"),
        new Replaced(8, "  command: \"  \"", "8:12: spec.command must not be empty"),
        new Replaced(
            10, "    Helper:", "11:7: spec.types.Helper is unknown: tf has Master and Worker"),
        new Replaced(
            10, "    worker:", "11:7: spec.types.worker is unknown: tf has Master and Worker"),
        new Replaced(
            11,
            "      count: 0",
            "11:14: spec.types.Worker.count must be a whole number from 1, got '0'"),
        new Replaced(
            11,
            "      count: 1.5",
            "11:14: spec.types.Worker.count must be a whole number from 1, got '1.5'"),
        new Replaced(
            11,
            "      count: two",
            "11:14: spec.types.Worker.count must be a whole number from 1, got 'two'"),
        new Replaced(
            11,
            "      completions: 2",
            "11:7: spec.types.Worker.completions is unknown: there are count, resources"),
        new Replaced(
            11,
            "      parallelisms: 2",
            "11:7: spec.types.Worker.parallelisms is unknown: there are count, resources"),
        new Replaced(
            13,
            "        cpus: 0",
            "13:15: spec.types.Worker.resources.cpus must be a number above 0, got '0'"),
        new Replaced(
            13,
            "        cpus: many",
            "13:15: spec.types.Worker.resources.cpus must be a number above 0, got 'many'"),
        new Replaced(
            13,
            "        cpuLimitRatio: 0.5",
            "13:24: spec.types.Worker.resources.cpuLimitRatio must be a number from 1, got '0.5'"),
        new Replaced(
            13,
            "        memory: 4GB",
            "13:17: spec.types.Worker.resources.memory and ramRatio exclude each other"),
        new Replaced(
            13,
            "        shmSizeGB: -1",
            "13:20: spec.types.Worker.resources.shmSizeGB must be a number from 0, got '-1'"),
        new Replaced(
            13,
            "        gpus: 1",
            "13:9: spec.types.Worker.resources.gpus is unknown: there are accelerators, cpuLimitRatio, cpus, memory, ramRatio, rdma, shmSizeGB"),
        new Replaced(
            13,
            "        accelerators: {tpu: 1}",
            "13:24: spec.types.Worker.resources.accelerators.tpu is unknown: there are gpu"),
        new Replaced(
            13,
            "        accelerators: {gpu: {product: H100}}",
            "13:29: spec.types.Worker.resources.accelerators.gpu has no count"),
        new Replaced(
            13,
            "        accelerators: {gpu: {count: 1, type: tpu}}",
            "13:46: spec.types.Worker.resources.accelerators.gpu.type must be gpu"),
        new Replaced(
            13,
            "        accelerators: {gpu: {count: -1}}",
            "13:37: spec.types.Worker.resources.accelerators.gpu.count must be a whole number from 0, got '-1'"),
        new Replaced(
            14,
            "        ramRatio: 0",
            "14:19: spec.types.Worker.resources.ramRatio must be a number above 0, got '0'"),
        new Replaced(
            14,
            "        memory: lots",
            "14:17: spec.types.Worker.resources.memory is wrong: 'lots' is not a size: write 6G, 512M, 6GiB, or a number of MiB"),
        new Replaced(
            14,
            "        cpuLimitRatio: 2",
            "13:9: spec.types.Worker.resources must have ramRatio or memory"),
        new Replaced(
            8,
            "  command: x\n  timeout: soon",
            "9:12: spec.timeout is wrong: 'soon' is not a time: write 90s, 15m, 1h30m, 01:30:00 or 2d"),
        new Replaced(8, "  command: x\n  timeout: 0s", "9:12: spec.timeout must be above 0"),
        new Replaced(
            8,
            "  command: x\n  timeout: 1h\n  activeDeadlineSeconds: 9",
            "10:26: spec.activeDeadlineSeconds and spec.timeout exclude each other"),
        new Replaced(
            8,
            "  command: x\n  env: {RANK: 1}",
            "9:15: spec.env.RANK must not be set: RANK is set by Remuda"),
        new Replaced(
            8,
            "  command: x\n  env: {AICHOR_EXPERIMENT_ID: 1}",
            "9:31: spec.env.AICHOR_EXPERIMENT_ID must not be set: AICHOR_EXPERIMENT_ID is set by Remuda"),
        new Replaced(
            8, "  command: x\n  env: [{name: A}]", "9:9: spec.env[0] must have name and value"),
        new Replaced(
            8,
            "  command: x\n  debug: {ssh: true}",
            "9:11: spec.debug.ssh is unknown: there are jupyter, vscode"),
        new Replaced(8, "  command: x\n  command: y", "9:3: spec.command is given twice"));
  }

  private List<String> faults(List<String> lines) throws IOException {
    Path file = folder.resolve("manifest.yaml");
    Files.write(file, lines);
    JobFileFaults faults = new JobFileFaults(Path.of("m"));
    BadJobFileException bad =
        assertThrows(
            BadJobFileException.class,
            () ->
                ManifestSubmission.of(
                    file,
                    JobFileReader.document(file, new OwnProcess(), faults),
                    new OwnProcess(),
                    new SubmittingShellEnvironment(Map.of(), null),
                    ManifestSubmission.Containers.NONE,
                    faults));
    return bad.faults();
  }

  private static List<String> with(int line, String by) {
    List<String> lines = new ArrayList<>(GOOD);
    lines.set(line - 1, by);
    return lines;
  }

  @ParameterizedTest
  @MethodSource("replaced")
  void a_fault_is_told_with_its_place(Replaced one) throws IOException {
    assertEquals(List.of("m:" + one.fault()), faults(with(one.line(), one.by())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3 builders:", "5 specs:", "9   type:", "12       needs:"})
  void a_field_with_a_wrong_name_is_missing_too(String replaced) throws IOException {
    String[] parts = replaced.split(" ", 2);
    int line = Integer.parseInt(parts[0]);
    List<String> faults = faults(with(line, parts[1]));
    int column = parts[1].length() - parts[1].stripLeading().length() + 1;
    assertEquals(2, faults.size(), faults.toString());
    assertTrue(
        faults.stream()
            .anyMatch(
                fault ->
                    fault.startsWith("m:" + line + ":" + column + ": ")
                        && fault.contains(" is unknown: ")),
        faults.toString());
    assertTrue(faults.stream().anyMatch(fault -> fault.contains(" has no ")), faults.toString());
  }

  @Test
  void the_types_of_a_refused_operator_are_not_told_too() throws IOException {
    List<String> ray = with(6, "  operator: kuberay");
    ray.set(9, "    Head:");
    assertEquals(1, faults(ray).size(), faults(ray).toString());
  }
}
