package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.OtherUser;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another user of the machine listens on the port of a server that is away. */
@Tag("attack")
@Tag("attack-local-user")
@Tag("long-attack")
@Timeout(300)
class StolenPortIT {

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final List<List<String>> VERBS =
      List.of(
          List.of("state"),
          List.of("show", "1"),
          List.of("explain", "1"),
          List.of("logs", "-f", "1"),
          List.of("wait", "1"),
          List.of("cancel", "1"),
          List.of("top", "--once"),
          List.of("submit", "--", "true"),
          List.of("user", "add", "bob"),
          List.of("stop"));
  private static final String PYTHON =
      "import remuda\ntry:\n  remuda.Client().nodes()\nexcept remuda.ServerUnavailable as no:\n"
          + "  print(no)\n";

  @TempDir private Path folder;
  private ServiceProcess service;
  private final List<Process> evils = new ArrayList<>();

  @BeforeEach
  void prepare() throws Exception {
    OtherUser.assumeThereIsOne();
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
  }

  @AfterEach
  void end() {
    evils.forEach(Process::destroyForcibly);
    if (service != null) {
      service.close();
    }
  }

  private Path heard() {
    return folder.resolve("heard");
  }

  /** Has the other user listen there as soon as the port is free. */
  private void lieInWait(int port) throws IOException {
    evils.add(OtherUser.python("/evil.py", heard(), Integer.toString(port)));
  }

  private void awaitListening() {
    service.await("evil that listens", SOON, () -> text(heard()).contains("listening"));
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private JsonNode access() throws IOException {
    return RestClient.JSON.readTree(service.home().resolve("access.json").toFile());
  }

  private int port() throws IOException {
    return URI.create(access().path("rest").asText()).getPort();
  }

  private String token() throws IOException {
    return access().path("token").asText();
  }

  private Result python() throws IOException {
    Path wheel;
    try (var files = Files.list(Installation.find().dist().resolve("python"))) {
      wheel = files.findFirst().orElseThrow();
    }
    return service.tool(
        "python3", folder, Map.of("PYTHONPATH", wheel.toString()), "python3", "-c", PYTHON);
  }

  /** All verbs and Python were told that this is not the server, and it was told nothing. */
  private void assertAllKeepTheToken(String token, String word) throws IOException {
    for (List<String> verb : VERBS) {
      Result result = service.call(verb.toArray(String[]::new));
      assertEquals(3, result.code(), () -> verb + ": " + result);
      assertTrue(result.err().contains(word), () -> verb + ": " + result);
    }
    Result python = python();
    assertTrue(python.out().contains(word), python::toString);
    assertHeardNo(token);
  }

  private void assertHeardNo(String token) throws IOException {
    String heard = text(heard());
    assertFalse(heard.contains(token), () -> "the other user has the token: " + heard);
    assertFalse(heard.contains("Bearer"), () -> "something was told: " + heard);
  }

  @Test
  void a_server_that_was_killed_leaves_a_port_where_nobody_tells_a_token() throws Exception {
    service.serve("--no-agent");
    String token = token();
    int port = port();
    lieInWait(port);
    service.member(Role.COORDINATOR).signal("KILL");
    awaitListening();
    assertAllKeepTheToken(token, "is not this server");
    assertTrue(text(heard()).lines().count() > VERBS.size(), "the other user was called");
    service.serve("--no-agent"); // though its port is taken
    assertNotEquals(port, port());
    String said = text(folder.resolve("serve.out"));
    assertTrue(said.contains("is taken by user " + OtherUser.UID), said);
    assertTrue(said.contains("need a new access file (remuda user add --replace NAME)"), said);
    assertEquals(0, service.call("state").code());
    assertHeardNo(token);
  }

  @Test
  void run_starts_its_own_server_beside_one_who_took_the_port_of_the_last() throws Exception {
    assertEquals(new Result(0, "one\n", ""), service.call("run", "--", "echo", "one"));
    String token = token();
    int port = port();
    lieInWait(port);
    service.member(Role.COORDINATOR).signal("TERM");
    awaitListening();
    assertEquals(new Result(0, "two\n", ""), service.call("run", "--", "echo", "two"));
    assertNotEquals(port, port());
    assertHeardNo(token);
  }

  @Test
  void what_waits_for_a_server_finds_it_at_its_new_port() throws Exception {
    service.serve("--cpus", "1");
    String token = token();
    long job = service.submit("echo begun; while [ ! -e go ]; do sleep 0.1; done");
    service.awaitState(job, "running");
    Path shown = folder.resolve("shown");
    String follow = service.shellLine("logs", "-f", Long.toString(job));
    Process waiting =
        new ProcessBuilder("/bin/sh", "-c", follow).redirectOutput(shown.toFile()).start();
    service.await("a verb that was answered", SOON, () -> text(shown).equals("begun\n"));
    lieInWait(port());
    lieInWait(agentPort());
    service.member(Role.COORDINATOR).signal("KILL");
    awaitListening();
    service.serve("--cpus", "1");
    Files.createFile(folder.resolve("go"));
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals(0, waiting.waitFor());
    assertHeardNo(token);
  }

  private int agentPort() throws IOException {
    String contact = access().path("contacts").get(0).asText();
    return Integer.parseInt(contact.substring(contact.lastIndexOf(':') + 1));
  }

  @Test
  void an_access_file_of_an_older_build_is_renewed_and_never_used() throws Exception {
    service.serve("--no-agent");
    Path bob = folder.resolve("bob.json");
    assertEquals(0, service.call("user", "add", "bob", "--out", bob.toString()).code());
    String token = token();
    String bobs = RestClient.JSON.readTree(bob.toFile()).path("token").asText();
    int port = port();
    service.member(Role.COORDINATOR).signal("TERM");
    service.awaitServerEnd();
    writeAsOlderBuild(service.home().resolve("access.json"), port);
    writeAsOlderBuild(bob, port);
    lieInWait(port);
    awaitListening();
    assertAllKeepTheToken(token, "of an earlier build");
    assertEquals("listening\n", text(heard()), "nothing was even dialled");
    Path home = Files.createDirectory(folder.resolve("b"));
    Files.copy(bob, home.resolve("access.json"), StandardCopyOption.COPY_ATTRIBUTES);
    Result asked = service.call(Map.of("REMUDA_HOME", home.toString()), "state");
    assertEquals(1, asked.code(), asked::toString);
    assertTrue(asked.err().contains("remuda user add bob"), asked.err());

    service.serve("--no-agent");
    String said = text(folder.resolve("serve.out"));
    assertTrue(said.contains("user bob needs a new access file: remuda user add bob"), said);
    assertNotEquals(token, token(), "the token is another one");
    assertUseless(token);
    assertUseless(bobs);
    assertEquals(0, service.call("state").code());
    assertHeardNo(token);
    assertHeardNo(bobs);
  }

  private static void writeAsOlderBuild(Path file, int port) throws IOException {
    ObjectNode access = (ObjectNode) RestClient.JSON.readTree(file.toFile());
    access.put("rest", "http://127.0.0.1:" + port);
    access.remove(List.of("pin", "insecure"));
    Files.write(file, RestClient.JSON.writeValueAsBytes(access));
  }

  private void assertUseless(String token) throws IOException {
    Path home = Files.createDirectories(folder.resolve("useless"));
    ObjectNode access = (ObjectNode) access();
    access.put("token", token);
    Path file = home.resolve("access.json");
    Files.deleteIfExists(file);
    Files.copy(service.home().resolve("access.json"), file, StandardCopyOption.COPY_ATTRIBUTES);
    Files.write(file, RestClient.JSON.writeValueAsBytes(access));
    Result asked = service.call(Map.of("REMUDA_HOME", home.toString()), "state");
    assertTrue(asked.err().contains("no valid token"), asked::toString);
  }
}
