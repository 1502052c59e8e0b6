package io.remuda.coordinator.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cli.job.FakeServer;
import io.remuda.coordinator.client.RestClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands within another program, which is this test. */
@Timeout(60)
class RemudaProgramTest {
  private static final int USAGE = 2;
  private static final int NO_SERVER = 3;
  private static final int AT_ONCE = 4;

  @TempDir private Path folder;

  /** A user with a home, a folder to work in, and what commands have printed there. */
  private static final class Shell {
    private final Map<String, String> environment = new TreeMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Path home;
    private final Path work;
    private InputStream in;

    private Shell(Path folder, String name) throws IOException {
      home = Files.createDirectories(folder.resolve(name).resolve("home"));
      work = Files.createDirectories(folder.resolve(name).resolve("work"));
      environment.put("REMUDA_HOME", home.toString());
      environment.put("REMUDA_CACHE", folder.resolve(name).resolve("cache").toString());
      environment.put("PATH", "/usr/bin:/bin");
    }

    private int run(String... arguments) {
      return RemudaProgram.run(List.of(arguments), environment, work, in, out, err);
    }

    private Shell with(FakeServer server) throws IOException {
      server.client().access().write(home.resolve(ServerAccessFile.FILE));
      return this;
    }

    private Shell typing(String text) {
      in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
      return this;
    }

    private String printed() {
      return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
      return err.toString(StandardCharsets.UTF_8);
    }
  }

  private Shell shell() throws IOException {
    return new Shell(folder, "user");
  }

  private static JsonNode submission(FakeServer server) throws IOException {
    for (int i = 0; i < server.requests().size(); i++) {
      if (server.requests().get(i).startsWith("POST /jobs")) {
        return RestClient.JSON.readTree(server.bodies().get(i));
      }
    }
    throw new AssertionError("no job was submitted: " + server.requests());
  }

  @Test
  void a_command_prints_to_the_streams_that_it_is_given_and_returns_its_exit_code()
      throws IOException {
    Shell shell = shell();
    assertEquals(0, shell.run("--version"));
    assertEquals("remuda " + BuildVersion.VERSION + "\n", shell.printed());
    assertEquals("", shell.complained());
  }

  @Test
  void help_of_the_program_and_of_a_command_is_printed() throws IOException {
    Shell shell = shell();
    assertEquals(0, shell.run("help"));
    assertEquals(0, shell.run("help", "submit"));
    assertTrue(shell.printed().contains("Commands:"), shell.printed());
    assertTrue(shell.printed().contains("--each-line"), shell.printed());
  }

  @Test
  void a_bad_option_is_told_on_stderr() throws IOException {
    Shell shell = shell();
    assertEquals(USAGE, shell.run("state", "--no-such"));
    assertTrue(shell.complained().startsWith("remuda: "), shell.complained());
    assertEquals("", shell.printed());
  }

  @Test
  void the_server_is_that_of_the_given_environment() throws IOException {
    Shell shell = shell();
    assertEquals(NO_SERVER, shell.run("state"));
    assertTrue(shell.complained().contains(shell.home.toString()), shell.complained());
  }

  @Test
  void settings_are_those_of_the_given_home() throws IOException {
    Shell shell = shell();
    Files.writeString(shell.home.resolve("remuda.conf"), "remuda.agent.output-limit = 3GiB\n");
    assertEquals(0, shell.run("config", "output-limit"), shell::complained);
    assertTrue(shell.printed().contains("3GiB"), shell.printed());
  }

  @Test
  void a_script_on_stdin_is_submitted() throws Exception {
    try (FakeServer server = new FakeServer().answers("/jobs", "{\"ids\":[7]}")) {
      Shell shell = shell().with(server).typing("#!/bin/sh\n#REMUDA --name from-stdin\ntrue\n");
      shell.environment.put("WORD", "caf\u00e9");
      assertEquals(0, shell.run("submit"), shell::complained);
      assertEquals("7\n", shell.printed());
      assertEquals("from-stdin", submission(server).path("name").asText());
      assertEquals("caf\u00e9", submission(server).path("env").path("WORD").asText());
      assertEquals(shell.work.toString(), submission(server).path("workdir").asText());
    }
  }

  @Test
  void without_stdin_a_submission_needs_a_command() throws IOException {
    Shell shell = shell();
    assertEquals(USAGE, shell.run("submit"));
    assertTrue(shell.complained().contains("give a command"), shell.complained());
  }

  @Test
  void a_job_file_on_stdin_is_read() throws Exception {
    try (FakeServer server = new FakeServer().answers("/jobs", "{\"ids\":[8]}")) {
      Shell shell = shell().with(server).typing("name: typed\nshell: true\n");
      assertEquals(0, shell.run("submit", "-f", "-"), shell::complained);
      assertEquals("typed", submission(server).path("jobs").path(0).path("name").asText());
    }
  }

  @Test
  void relative_paths_are_below_the_given_folder() throws Exception {
    try (FakeServer server =
        new FakeServer()
            .answers("/jobs", "{\"ids\":[9]}")
            .answers("/users", "{\"token\":\"secret\"}")) {
      Shell shell = shell().with(server);
      Files.writeString(shell.work.resolve("lines.txt"), "a\nb\n");
      Files.createDirectories(shell.work.resolve("below"));
      assertEquals(
          0,
          shell.run("submit", "--each-line", "lines.txt", "--workdir", "below", "echo", "{line}"),
          shell::complained);
      assertEquals(2, submission(server).path("lines").size());
      assertEquals(
          shell.work.resolve("below").toString(), submission(server).path("workdir").asText());
      assertEquals(0, shell.run("user", "add", "--out", "ann.json", "ann"), shell::complained);
      assertTrue(Files.exists(shell.work.resolve("ann.json")));
    }
  }

  @Test
  void a_file_that_is_missing_is_named_as_it_was_typed() throws IOException {
    Shell shell = shell();
    assertEquals(USAGE, shell.run("submit", "-f", "none.yaml"));
    assertEquals("none.yaml: no such file\n", shell.complained());
  }

  @Test
  void a_script_of_the_given_folder_is_found() throws Exception {
    try (FakeServer server = new FakeServer().answers("/jobs", "{\"ids\":[1]}")) {
      Shell shell = shell().with(server);
      Files.writeString(shell.work.resolve("job.sh"), "#!/bin/sh\n#REMUDA --cpus 3\ntrue\n");
      assertEquals(0, shell.run("submit", "job.sh"), shell::complained);
      assertEquals(3.0, submission(server).path("cpus").asDouble());
    }
  }

  @Test
  void commands_at_the_same_time_do_not_see_each_other() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      CyclicBarrier together = new CyclicBarrier(AT_ONCE);
      List<Future<Void>> ends = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        ends.add(threads.submit(alone("user" + i, together)));
      }
      for (Future<Void> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Submits jobs of one user, who has a server, and looks whether they are that user's. */
  private Callable<Void> alone(String name, CyclicBarrier together) {
    return () -> {
      try (FakeServer server = new FakeServer().answers("/jobs", "{\"ids\":[5]}")) {
        Shell shell = new Shell(folder, name).with(server);
        shell.environment.put("WHO", name);
        Files.writeString(shell.work.resolve("job.yaml"), "name: " + name + "\nshell: true\n");
        together.await();
        assertEquals(0, shell.run("submit", "job.yaml"), shell::complained);
        JsonNode job = submission(server).path("jobs").path(0);
        assertEquals(name, job.path("name").asText());
        assertEquals(name, job.path("env").path("WHO").asText());
        assertEquals(shell.work.toString(), job.path("workdir").asText());
        assertEquals("5\n", shell.printed());
      }
      return null;
    };
  }

  @Test
  void the_program_keeps_its_own_streams_and_properties() throws IOException {
    Object out = System.out;
    Object err = System.err;
    String level = System.getProperty("REMUDA_LOG_LEVEL");
    Shell shell = shell();
    assertEquals(USAGE, shell.run("serve", "--mem", "much"));
    assertFalse(shell.complained().isEmpty());
    assertEquals(out, System.out);
    assertEquals(err, System.err);
    assertEquals(level, System.getProperty("REMUDA_LOG_LEVEL"));
  }
}
