package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessFileTest {
  private static final AccessFile ACCESS =
      new AccessFile(1, List.of("127.0.0.1:7000", "[::1]:7001"), "certificate", "key");

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("access.json");
  }

  private Path containing(String text) throws IOException {
    ACCESS.write(file());
    return Files.writeString(file(), text);
  }

  private String refusal() {
    String message = assertThrows(IOException.class, () -> AccessFile.read(file())).getMessage();
    assertTrue(message.contains(file().toString()), "names the file: " + message);
    assertEquals(1, message.lines().count(), message);
    return message;
  }

  @Test
  void it_is_read_as_it_was_written() throws IOException {
    ACCESS.write(file());
    assertEquals(ACCESS, AccessFile.read(file()));
  }

  @Test
  void a_renewal_of_the_key_is_read_as_it_was_written_and_keeps_the_name() throws IOException {
    AccessFile renewed =
        new AccessFile(
            1,
            List.of("127.0.0.1:7000"),
            "another certificate",
            "key",
            List.of("certificate"),
            new AccessFile.NextKey("certificate", "its key"),
            ACCESS.cluster());
    renewed.write(file());
    assertEquals(renewed, AccessFile.read(file()));
    assertEquals(ACCESS.cluster(), AccessFile.read(file()).cluster());
  }

  @Test
  void a_file_of_an_earlier_build_has_the_name_of_its_certificate() throws IOException {
    containing(
        "{\"version\":1,\"contacts\":[\"127.0.0.1:7000\",\"[::1]:7001\"],"
            + "\"certificate\":\"certificate\",\"privateKey\":\"key\"}");
    assertEquals(ACCESS, AccessFile.read(file()));
  }

  @Test
  void only_its_owner_may_read_it() throws IOException {
    ACCESS.write(file());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
  }

  @Test
  void it_replaces_the_one_before_and_leaves_no_draft() throws IOException {
    ACCESS.write(file());
    AccessFile next = new AccessFile(1, List.of("127.0.0.1:9"), "another", "key");
    next.write(file());
    assertEquals(next, AccessFile.read(file()));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file()), files.toList());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwx------"})
  void it_is_refused_when_others_may_use_it(String permissions) throws IOException {
    ACCESS.write(file());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));
    String message = refusal();
    assertTrue(message.contains(permissions) && message.contains("chmod 600"), message);
  }

  @Test
  void a_missing_file_is_an_error_that_names_it() {
    assertEquals(
        file().toString(),
        assertThrows(NoSuchFileException.class, () -> AccessFile.read(file())).getMessage());
  }

  @Test
  void another_version_is_refused_with_both_numbers() throws IOException {
    containing("{\"version\":2,\"contacts\":[\"h:1\"],\"certificate\":\"c\",\"privateKey\":\"k\"}");
    String message = refusal();
    assertTrue(message.contains("version 2") && message.contains("version 1"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not json",
        "[]",
        "null",
        "{\"version\":1",
        "{\"version\":1}",
        "{\"version\":1,\"contacts\":[\"h:1\"],\"certificate\":\"c\"}",
        "{\"version\":1,\"contacts\":[\"h:1\"],\"privateKey\":\"k\"}",
        "{\"version\":1,\"contacts\":[\"h:1\"],\"certificate\":\"c\",\"privateKey\":\"k\",\"trusted\":[null]}",
        "{\"version\":1,\"contacts\":[\"h:1\"],\"certificate\":\"c\",\"privateKey\":\"k\",\"next\":{}}",
        "{\"version\":1,\"contacts\":[\"h:1\"],\"certificate\":\"c\",\"privateKey\":\"k\",\"cluster\":\"../x\"}"
      })
  void a_damaged_file_is_an_error_that_names_it(String text) throws IOException {
    containing(text);
    refusal();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\"host\"", "\"host:\"", "\":7000\"", "\"host:port\"", "\"host:70000\""})
  void a_file_without_a_place_to_dial_is_an_error(String contacts) throws IOException {
    containing(
        "{\"version\":1,\"contacts\":["
            + contacts
            + "],\"certificate\":\"c\",\"privateKey\":\"k\"}");
    assertTrue(refusal().contains("contact"), "says what is wrong");
  }

  @Test
  void a_field_of_a_later_build_is_ignored() throws IOException {
    containing(
        "{\"version\":1,\"contacts\":[\"h:1\"],\"certificate\":\"c\",\"privateKey\":\"k\",\"x\":1}");
    assertEquals(List.of("h:1"), AccessFile.read(file()).contacts());
  }
}
