package io.remuda.agent.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Variables that a container gets although an engine's program must not. */
class ContainerVariablesFileTest extends WithStandInEngines {
  private static final Map<String, String> CHOSEN =
      Map.of("PATH", "/opt/bin:/bin", "DOCKER_TOKEN", "secret", "SEED", "7");

  private Map<String, String> ofEngine;

  private List<String> chosenWords(String engine, Map<String, String> environment)
      throws Exception {
    install(engine, "exit 0");
    TaskStartOrder plain = order(ContainerTerms.of("lab/image:1"), TWO_GPUS, List.of(), "true");
    ContainerTerms terms =
        new ContainerTerms(
            engine.equals("docker") ? "lab/image:1" : "/images/" + engine,
            engine.equals("bwrap") ? "bubblewrap" : engine,
            List.of(),
            List.of(),
            0,
            0,
            false,
            environment.keySet());
    TaskStartOrder order =
        new TaskStartOrder(
            ATTEMPT,
            "ann",
            false,
            0,
            new CommandWorkload(List.of("true"), environment, "/home/ann/runs", 027, terms),
            List.of(),
            1,
            false,
            plain.job());
    NodeContainers containers = containers("PATH", bin.toString());
    containers.prepare(order, task);
    SpawnRequest request =
        containers.wrap(
            order,
            new SpawnRequest(
                "r1/7.0.1",
                new SpawnTemplate(List.of("true"), environment, "/home/ann/runs", 027),
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
    ofEngine = request.environment();
    return request.template().argv();
  }

  @Test
  void docker_gets_chosen_variables_by_a_file_of_its_owner_until_the_task_has_ended()
      throws Exception {
    List<String> words = chosenWords("docker", CHOSEN);
    Path file = Path.of(after(words, "--env-file").get(0));
    assertEquals(List.of("DOCKER_TOKEN=secret", "PATH=/opt/bin:/bin"), Files.readAllLines(file));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertFalse(words.toString().contains("secret"), "others can read the arguments");
    assertFalse(ofEngine.containsKey("DOCKER_TOKEN"), "it would direct the engine");
    assertEquals(bin.toString(), ofEngine.get("PATH"));
    assertEquals("7", ofEngine.get("SEED"));
    containers().finish(task, null, true);
    assertFalse(Files.exists(file));
  }

  @Test
  void apptainer_gets_chosen_variables_by_its_prefix() throws Exception {
    List<String> words = chosenWords("apptainer", CHOSEN);
    assertEquals("/opt/bin:/bin", ofEngine.get("APPTAINERENV_PATH"));
    assertEquals("secret", ofEngine.get("APPTAINERENV_DOCKER_TOKEN"));
    assertEquals(bin.toString(), ofEngine.get("PATH"));
    assertFalse(words.toString().contains("secret"));
  }

  @Test
  void bubblewrap_gets_chosen_paths_as_options_and_others_in_its_environment() throws Exception {
    List<String> words = chosenWords("bwrap", CHOSEN);
    int usual = words.indexOf("HOME");
    int own = words.lastIndexOf("PATH");
    assertTrue(usual < own, "the last one counts");
    assertEquals(List.of("--setenv", "PATH", "/opt/bin:/bin"), words.subList(own - 1, own + 2));
    assertEquals("secret", ofEngine.get("DOCKER_TOKEN"));
    assertFalse(words.toString().contains("secret"));
  }

  @Test
  void a_chosen_variable_of_several_lines_is_refused_by_an_engine_that_reads_a_file() {
    ContainerRefusedException refused =
        assertThrows(
            ContainerRefusedException.class,
            () -> chosenWords("docker", Map.of("DOCKER_NOTE", "two\nlines")));
    assertTrue(refused.getMessage().contains("DOCKER_NOTE"), refused::getMessage);
  }

  @Test
  void a_value_that_ends_with_its_line_is_refused_and_not_changed() {
    assertThrows(
        ContainerRefusedException.class,
        () -> chosenWords("docker", Map.of("DOCKER_TOKEN", "secret\n")));
  }
}
