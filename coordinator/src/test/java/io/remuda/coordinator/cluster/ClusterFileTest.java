package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterFileTest {
  private static final String STORE = "jdbc:postgresql://db/lab?user=ann";

  @TempDir private Path folder;

  private static String members(String... lines) {
    return "store: " + STORE + "\nmembers:\n  " + String.join("\n  ", lines) + "\n";
  }

  @Test
  void a_file_that_was_written_is_read() throws IOException {
    ClusterFile cluster =
        ClusterFile.of(
            STORE,
            List.of(
                ClusterFile.member("a", "10.0.0.1:7410"),
                ClusterFile.member("b", "[fd00::2]:7410"),
                ClusterFile.member("c", "c.lab:7410")));
    Path file = Files.writeString(folder.resolve("cluster.yaml"), cluster.text());
    assertEquals(cluster, ClusterFile.read(file));
  }

  @Test
  void a_member_uses_three_ports_in_a_row() {
    ClusterFile.Member member = ClusterFile.member("b", "[fd00::2]:7410");
    assertEquals("[fd00::2]:7410", member.rest());
    assertEquals("[fd00::2]:7411", member.agents());
    assertEquals(7412, member.coordinatorPort());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: h:1;b: h:4 | 3, 5, 7 or 9 coordinators, got 2",
        "a: h:1;b: h:4;c: h:7;d: h:10 | got 4: more than half of them must be there",
        "a: h:1 | a single one is remuda serve without --cluster",
        "a: h:1;b: h:3;c: h:9 | members.b: its name or one of its three ports is another's",
        "a: h;b: h:4;c: h:7 | members.a: an address is HOST:PORT, got 'h'",
        "a: h:65534;b: h:4;c: h:7 | members.a: a port is 1 to 65533, got 65534",
        "a b: h:1;b: h:4;c: h:7 | a name is 1 to 63 letters",
      })
  void members_that_make_no_cluster_are_refused(String lines, String reason) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> ClusterFile.parse(members(lines.split(";"))));
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "members: {},store is missing",
    "store: x,members is missing",
    "stores: x,unknown key 'stores'",
    "x,has the keys store and members"
  })
  void a_file_of_another_kind_is_refused(String text, String reason) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> ClusterFile.parse(text));
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }

  @Test
  void a_missing_file_or_a_fault_of_yaml_is_said_with_its_name() throws IOException {
    Path file = folder.resolve("cluster.yaml");
    String missing = assertThrows(IOException.class, () -> ClusterFile.read(file)).getMessage();
    assertTrue(missing.contains("remuda cluster init writes one"), missing);
    Files.writeString(file, "store: [");
    String broken = assertThrows(IOException.class, () -> ClusterFile.read(file)).getMessage();
    assertTrue(broken.startsWith(file + ": "), broken);
  }
}
