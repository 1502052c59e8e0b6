package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ClusterKey;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which users may connect, and with which token. */
@Timeout(180)
class UsersIT {

  @TempDir private static Path shared;
  private static Cluster service;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--no-agent");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private Path added(String name) throws IOException {
    Path home = Files.createDirectory(folder.resolve(name));
    String file = home.resolve("access.json").toString();
    Result result = service.cli("user", "add", name, "--out", file);
    assertEquals(0, result.code(), result::toString);
    return home;
  }

  private static Result as(Path home, String... arguments) throws IOException {
    return service.cli(Map.of("REMUDA_HOME", home.toString()), arguments);
  }

  @Test
  void a_removed_user_is_out_at_once_and_no_longer_listed() throws IOException {
    Path ann = added("ann");
    assertEquals(0, as(ann, "state").code());
    assertTrue(service.cli("user", "list").out().contains("ann   1.0    yes"));
    assertEquals(1, as(ann, "user", "remove", "ann").code(), "only the owner removes");
    assertEquals(0, service.cli("user", "remove", "ann").code());
    Result out = as(ann, "state");
    assertTrue(out.code() == 1 && out.err().contains("no valid token"), out::toString);
    Result list = service.cli("user", "list");
    assertTrue(!list.out().contains("ann"), list::toString);
    assertEquals(1, service.cli("user", "remove", "ann").code(), "there is no such user");
  }

  @Test
  void a_user_who_has_a_token_gets_another_only_if_that_is_said() throws IOException {
    Path bob = added("bob");
    Path old = Files.createDirectory(folder.resolve("old"));
    Files.copy(
        bob.resolve("access.json"), old.resolve("access.json"), StandardCopyOption.COPY_ATTRIBUTES);
    String file = bob.resolve("access.json").toString();
    Result refused = service.cli("user", "add", "bob", "--out", file);
    assertTrue(
        refused.code() == 1 && refused.err().contains("remuda user renew bob"), refused::toString);
    assertEquals(0, as(old, "state").code());
    Result again = service.cli("user", "add", "bob", "--replace", "--out", file);
    assertTrue(again.out().contains("earlier access file of bob is invalid"), again::toString);
    assertEquals(1, as(old, "state").code());
    assertEquals(0, as(bob, "state").code());
  }

  @Test
  void over_tls_only_the_certificate_of_the_access_file_is_trusted() throws Exception {
    ServerAccessFile access = service.client().access();
    assertTrue(access.rest().startsWith("https://"), access.rest());
    long id = service.submit("true", "hold", true);
    assertEquals("held", service.awaitState(id, "held").path("state").asText());
    String other = ClusterKey.create("eve", Instant.now()).access(List.of("x:1")).certificate();
    RestClient deceived =
        new RestClient(
            new ServerAccessFile(
                1, null, null, null, access.rest(), other, null, access.user(), access.token()));
    assertThrows(IOException.class, () -> deceived.get("/jobs"));
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void curl_asks_this_server_and_no_other() throws IOException {
    Result config = service.cli("user", "curl", "/jobs");
    Path file = folder.resolve("curl.conf");
    Files.writeString(file, config.out());
    Result asked = service.tool("curl", folder, Map.of(), "curl", "-sSK", file.toString());
    assertTrue(asked.out().startsWith("{\"jobs\":["), asked::toString);
    Files.writeString(file, config.out().replaceFirst("sha256//....", "sha256//AAAA"));
    Result refused = service.tool("curl", folder, Map.of(), "curl", "-sSK", file.toString());
    assertEquals(90, refused.code(), refused::toString); // the key is not the pinned one
  }

  /** As the checks of HAProxy and old monitors ask. */
  @Test
  void a_probe_that_names_no_host_or_wants_the_head_alone_is_answered_as_others_are()
      throws IOException {
    String ready = service.client().access().rest() + "/api/v1/ready";
    Result old = probe("-0", "-H", "Host:", ready);
    assertTrue(old.out().contains(" 200 "), old::toString);
    assertTrue(old.out().contains("\"ready\":true"), old::toString);
    assertTrue(probe("-I", ready).out().contains(" 200 "), () -> probe("-I", ready).toString());
    Result jobs = probe("-I", service.client().access().rest() + "/api/v1/jobs");
    assertTrue(jobs.out().contains(" 401 "), jobs::toString);
  }

  private static Result probe(String... arguments) {
    List<String> curl = new ArrayList<>(List.of("curl", "-ski", "--max-time", "60"));
    curl.addAll(List.of(arguments));
    try {
      return service.tool("curl", shared, Map.of(), curl.toArray(String[]::new));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void code_is_not_run_from_a_cache_that_others_may_write_in() throws IOException {
    Path cache = Files.createDirectory(folder.resolve("cache"));
    String remuda = Installation.find().dist().resolve("bin/remuda").toString();
    Map<String, String> environment = Map.of("REMUDA_CACHE", cache.toString());
    Files.setAttribute(cache, "unix:mode", 0700);
    assertEquals(0, service.tool("sh", folder, environment, remuda, "--version").code());
    for (int mode : new int[] {0777, 0770}) {
      Files.setAttribute(cache, "unix:mode", mode);
      Result refused = service.tool("sh", folder, environment, remuda, "--version");
      assertEquals(1, refused.code(), refused::toString);
      assertTrue(refused.err().contains("may be written by others"), refused::toString);
    }
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  @Tag(TestStore.STATE_FILE)
  void backup_and_restore_use_no_home_that_others_may_write_in() throws IOException {
    Path home = Files.createDirectory(folder.resolve("open"));
    Path file = folder.resolve("backup.db");
    assertEquals(0, service.cli("backup", file.toString()).code());
    Files.setAttribute(home, "unix:mode", 0777);
    for (String verb : new String[] {"backup", "restore"}) {
      Result refused = as(home, verb, file.toString());
      assertEquals(1, refused.code(), refused::toString);
      assertTrue(refused.err().contains("may be written by others"), refused::toString);
    }
    try (Stream<Path> inside = Files.list(home)) {
      assertEquals(List.of(), inside.toList());
    }
  }
}
