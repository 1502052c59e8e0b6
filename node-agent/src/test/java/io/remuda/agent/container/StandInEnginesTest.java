package io.remuda.agent.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.limit.LimitNote;
import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Docker and apptainer, of which only the command lines are tested: a script stands in for each and
 * writes down how it was called. Podman and bubblewrap run for real in the coordinator's tests.
 */
class StandInEnginesTest extends WithStandInEngines {
  @Test
  void docker_is_told_everything_and_runs_the_command_unchanged() throws Exception {
    install("docker", "exit 0");
    ContainerTerms terms =
        new ContainerTerms(
            "lab/image:1",
            null,
            List.of(new ContainerTerms.Mount("/data/mnist", "/data", true)),
            List.of(new ContainerTerms.Port(8080, 80)),
            1 << 20,
            2.5,
            false);
    SpawnRequest request =
        wrap(
            containers(),
            order(terms, TWO_GPUS, List.of(UUID_1, UUID_2), "python", "train it.py", "--x; rm"));
    List<String> words = request.template().argv();
    assertEquals(bin.resolve("docker").toString(), words.get(0));
    assertEquals("run", words.get(1));
    assertEquals(
        List.of("lab/image:1", "train it.py", "--x; rm"),
        words.subList(words.size() - 3, words.size()));
    assertEquals(List.of("python"), after(words, "--entrypoint"));
    assertEquals(List.of("/home/ann/runs"), after(words, "--workdir"));
    assertEquals(List.of("\"device=" + UUID_1 + "," + UUID_2 + "\""), after(words, "--gpus"));
    assertEquals(List.of("8080:80"), after(words, "--publish"));
    assertEquals(List.of("1073741824"), after(words, "--memory"));
    assertEquals(List.of("1073741824"), after(words, "--memory-swap"));
    assertEquals(List.of("2.500"), after(words, "--cpus"));
    assertEquals(List.of("1536"), after(words, "--cpu-shares"));
    assertEquals(List.of("1048576"), after(words, "--shm-size"));
    assertTrue(
        after(words, "--mount").contains("type=bind,source=/data/mnist,target=/data,readonly"));
    assertTrue(
        after(words, "--mount").contains("type=bind,source=/home/ann/runs,target=/home/ann/runs"),
        () -> "the working folder is missing: " + words);
    assertTrue(words.containsAll(List.of("--init", "--pull=never", "--storage-opt=size=1G")));
    assertFalse(words.contains("--network=host"));
    assertTrue(after(words, "--env").contains("SEED"));
    assertFalse(after(words, "--env").contains("PATH"), "the image has a path of its own");
    Map<String, String> environment = request.environment();
    assertEquals("7", environment.get("SEED"));
    assertFalse(environment.containsKey("DOCKER_HOST"), "a job cannot choose the node's daemon");
    assertFalse(environment.containsKey("SINGULARITY_BIND"), "nor what apptainer mounts");
    assertFalse(environment.containsKey("_CONTAINERS_ROOTLESS_UID"), "nor podman's user");
  }

  @Test
  void docker_without_devices_shows_none_even_if_the_image_asks_for_all() throws Exception {
    install("docker", "exit 0");
    List<String> words =
        wrap(
                containers(),
                order(
                    ContainerTerms.of("lab/image:1"),
                    new ResourceRequest(0, 0),
                    List.of(),
                    "/bin/true"))
            .template()
            .argv();
    assertEquals(List.of(), after(words, "--gpus"));
    assertTrue(after(words, "--env").contains("NVIDIA_VISIBLE_DEVICES=void"));
    assertEquals(List.of(), after(words, "--memory"));
  }

  @Test
  void docker_removes_the_container_after_its_end_and_those_that_a_lost_keeper_leaves()
      throws Exception {
    install("docker", "case $1 in ps) echo remuda-left-over;; inspect) echo true;; esac");
    NodeContainers containers = containers();
    TaskStartOrder order =
        order(ContainerTerms.of("lab/image:1"), TWO_GPUS, List.of(UUID_1, UUID_2), "/bin/true");
    List<String> words = wrap(containers, order).template().argv();
    String name = after(words, "--name").get(0);
    calls();

    ExitRecord killed =
        new ExitRecord("r1/7.0.1", 9, 9, new ExitStatus.Code(137), 1, 1, 1, 1, false, false, 0);
    containers.finish(task, killed, false);
    assertEquals(
        List.of(
            List.of("docker", "inspect", "--format", "{{.State.OOMKilled}}", name),
            List.of("docker", "rm", "--force", "--volumes", name)),
        calls());
    assertEquals(
        Optional.of("killed by the kernel: more than its --mem of 1 GiB"),
        LimitNote.read(task.path()));

    containers.sweep(Set.of());
    List<List<String>> swept = calls();
    assertEquals(List.of("docker", "ps", "--all"), swept.get(0).subList(0, 3));
    assertEquals(List.of("docker", "rm", "--force", "--volumes", "remuda-left-over"), swept.get(1));
  }

  /** Podman's own refusal of one whose first process and monitor were killed a moment ago. */
  @Test
  void a_container_that_cannot_be_removed_at_once_is_removed_at_a_later_try() throws Exception {
    install(
        "podman",
        """
        case $1 in
        ps) echo remuda-left-over;;
        rm) [ -e "$0.tried" ] || { : > "$0.tried"; echo 'container not running' >&2; exit 125; };;
        esac
        """);
    NodeContainers containers = containers();
    wrap(containers, order(ContainerTerms.of("lab/image:1"), TWO_GPUS, List.of(), "/bin/true"));
    calls();
    containers.sweep(Set.of());
    List<List<String>> swept = calls();
    assertEquals(3, swept.size(), swept.toString());
    assertEquals(swept.get(1), swept.get(2));
  }

  @Test
  void who_was_seen_with_little_memory_was_not_killed_for_it() throws Exception {
    install("docker", "case $1 in inspect) echo false;; esac");
    NodeContainers containers = containers();
    wrap(containers, order(ContainerTerms.of("lab/image:1"), TWO_GPUS, List.of(), "/bin/true"));
    for (long peak : new long[] {1 << 20, 600 << 20}) {
      ExitRecord killed =
          new ExitRecord(
              "r1/7.0.1", 9, 9, new ExitStatus.Code(137), 10_000, 1, 1, peak, false, false, 0);
      containers.finish(task, killed, false);
      assertEquals(peak > 1 << 29, LimitNote.read(task.path()).isPresent(), "peak " + peak);
    }
  }

  @Test
  void members_of_a_gang_have_no_ports_but_those_of_their_node() throws Exception {
    install("docker", "exit 0");
    ContainerTerms mapped =
        new ContainerTerms(
            "lab/image:1",
            null,
            List.of(),
            List.of(new ContainerTerms.Port(8080, 80)),
            0,
            0,
            false);
    ContainerRefusedException refused =
        assertThrows(
            ContainerRefusedException.class, () -> containers().prepare(member(mapped), task));
    assertTrue(refused.getMessage().startsWith("a gang cannot map ports"), refused::getMessage);
  }

  private static TaskStartOrder member(ContainerTerms terms) {
    TaskStartOrder alone = order(terms, new ResourceRequest(0, 0), List.of(), "true");
    GangStart start =
        new GangStart(1, 0, 20_001, List.of(new GangStart.Member("n1", "a", 20_002, List.of())));
    return new TaskStartOrder(
        alone.attempt(),
        alone.user(),
        alone.tied(),
        alone.contactMillis(),
        alone.workload(),
        alone.devices(),
        alone.threads(),
        alone.cuda(),
        new TaskStartOrder.JobFacts(
            new UUID(0, 1), "job", 1, alone.job().request(), GangTerms.USUAL, start));
  }

  @Test
  void apptainer_runs_an_image_file_with_the_lent_devices_selected_by_a_variable()
      throws Exception {
    install("apptainer", "exit 0");
    ContainerTerms terms =
        new ContainerTerms(
            "/images/lab.sif",
            null,
            List.of(new ContainerTerms.Mount("/data/mnist", "/data", true)),
            List.of(),
            0,
            2,
            false);
    List<String> words =
        wrap(containers(), order(terms, TWO_GPUS, List.of(UUID_1, UUID_2), "python", "a b"))
            .template()
            .argv();
    assertEquals(
        List.of(bin.resolve("apptainer").toString(), "exec", "--contain"), words.subList(0, 3));
    assertEquals(
        List.of("/images/lab.sif", "python", "a b"), words.subList(words.size() - 3, words.size()));
    assertEquals(List.of("/home/ann/runs"), after(words, "--pwd"));
    assertTrue(after(words, "--bind").contains("/data/mnist:/data:ro"));
    assertTrue(words.contains("--nv"));
    assertEquals(List.of("2.000"), after(words, "--cpus"));
    assertEquals(List.of(), calls(), "its containers are ordinary processes: nothing to remove");
  }

  @Test
  void apptainer_pulls_an_image_only_if_asked() throws Exception {
    install("apptainer", "exit 0");
    NodeContainers containers = containers();
    ContainerTerms named =
        new ContainerTerms("lab/image:1", "apptainer", List.of(), List.of(), 0, 0, false);
    ContainerRefusedException refused =
        assertThrows(
            ContainerRefusedException.class,
            () ->
                containers.prepare(
                    order(named, new ResourceRequest(0, 0), List.of(), "true"), task));
    assertTrue(refused.getMessage().contains("allow it to pull"), refused::getMessage);
    ContainerTerms pulled =
        new ContainerTerms("lab/image:1", "apptainer", List.of(), List.of(), 0, 0, true);
    List<String> words =
        wrap(containers, order(pulled, new ResourceRequest(0, 0), List.of(), "true"))
            .template()
            .argv();
    assertTrue(words.contains("docker://lab/image:1"), words::toString);
  }

  @Test
  void a_node_without_the_named_engine_says_what_it_has() throws Exception {
    install("docker", "exit 0");
    ContainerTerms terms =
        new ContainerTerms("/images/lab.sif", "apptainer", List.of(), List.of(), 0, 0, false);
    ContainerRefusedException refused =
        assertThrows(
            ContainerRefusedException.class,
            () ->
                containers()
                    .prepare(order(terms, new ResourceRequest(0, 0), List.of(), "true"), task));
    assertEquals("this node has no apptainer; it has docker", refused.getMessage());
  }
}
