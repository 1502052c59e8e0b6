package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FatalErrorMessageTest {

  @Test
  void a_full_disk_asks_for_room() {
    assertEquals(
        "/h/access.json: No space left on device: make room on the disk",
        FatalErrorMessage.of(
            new FileSystemException("/h/access.json", null, "No space left on device")));
    assertEquals(
        "Disk quota exceeded: make room on the disk",
        FatalErrorMessage.of(new IOException("Disk quota exceeded")));
  }

  @Test
  void a_file_alone_is_no_message() {
    assertEquals("no such file: /a", FatalErrorMessage.of(new NoSuchFileException("/a")));
    assertEquals("no permission: /a", FatalErrorMessage.of(new AccessDeniedException("/a")));
    assertEquals(
        "/a: there is no state",
        FatalErrorMessage.of(new NoSuchFileException("/a", null, "there is no state")));
  }

  @Test
  void a_fault_without_words_is_named() {
    assertEquals(
        "java.lang.IllegalStateException", FatalErrorMessage.of(new IllegalStateException()));
  }
}
