package io.remuda.agent.container;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.ResourceRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test with scripts that stand in for container engines and write down how they were called. */
abstract class WithStandInEngines {
  static final AttemptId ATTEMPT = AttemptId.parse("7.0.1");
  static final String UUID_1 = "GPU-11111111-2222-3333-4444-555555555555";
  static final String UUID_2 = "GPU-66666666-2222-3333-4444-555555555555";
  static final ResourceRequest TWO_GPUS =
      new ResourceRequest(1.5, 2, 1L << 30, 0, null, Map.of(), 0, 0);

  @TempDir Path folder;
  Path bin;
  Path calls;
  AgentSettings settings;
  TaskFolder task;

  @BeforeEach
  void makeFolders() throws Exception {
    bin = Files.createDirectories(folder.resolve("bin"));
    calls = folder.resolve("calls");
    settings = TestAgents.settings(Files.createDirectories(folder.resolve("node")));
    task = TaskFolder.of(settings, ATTEMPT);
    Files.createDirectories(task.scratch());
  }

  /** Puts a program on the agent's path that writes its arguments down, one a line. */
  void install(String engine, String answers) throws Exception {
    Path program = bin.resolve(engine);
    Files.writeString(
        program,
        """
        #!/bin/sh
        printf '%%s\\n' "%s" "$@" "." >> '%s'
        %s
        """
            .formatted(engine, calls, answers));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns the calls since the last question, each as its words. */
  List<List<String>> calls() throws Exception {
    List<List<String>> found = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (String line : Files.exists(calls) ? Files.readAllLines(calls) : List.<String>of()) {
      if (line.equals(".")) {
        found.add(words);
        words = new ArrayList<>();
      } else {
        words.add(line);
      }
    }
    Files.deleteIfExists(calls);
    return found;
  }

  NodeContainers containers(String... agent) {
    Map<String, String> environment = new HashMap<>(Map.of("PATH", bin.toString()));
    for (int at = 0; at < agent.length; at += 2) {
      environment.put(agent[at], agent[at + 1]);
    }
    EngineOptions options = new EngineOptions(Map.of("docker", List.of("--storage-opt=size=1G")));
    return new NodeContainers(settings, new Distribution(folder), options, environment);
  }

  static TaskStartOrder order(
      ContainerTerms terms, ResourceRequest request, List<String> devices, String... argv) {
    return new TaskStartOrder(
        ATTEMPT,
        "ann",
        false,
        0,
        new CommandWorkload(List.of(argv), Map.of(), "/home/ann/runs", 027, terms),
        devices.stream().map(DeviceId::new).toList(),
        1,
        !devices.isEmpty(),
        new TaskStartOrder.JobFacts(new UUID(0, 1), "job", 1, request));
  }

  SpawnRequest wrap(NodeContainers containers, TaskStartOrder order) throws Exception {
    containers.prepare(order, task);
    CommandWorkload command = (CommandWorkload) order.workload();
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "SEED",
                "7",
                "PATH",
                "/of/the/user",
                "DOCKER_HOST",
                "tcp://elsewhere:1",
                "SINGULARITY_BIND",
                "/data",
                "_CONTAINERS_ROOTLESS_UID",
                "1"));
    return containers.wrap(
        order,
        new SpawnRequest(
            "r1/7.0.1",
            new SpawnTemplate(command.argv(), environment, command.folder(), command.umask()),
            Map.of(),
            folder.resolve("out"),
            folder.resolve("err"),
            task.path(),
            List.of(),
            0,
            0,
            0,
            0,
            0));
  }

  static List<String> after(List<String> words, String option) {
    List<String> values = new ArrayList<>();
    for (int at = 0; at + 1 < words.size(); at++) {
      if (words.get(at).equals(option)) {
        values.add(words.get(at + 1));
      }
    }
    return values;
  }
}
