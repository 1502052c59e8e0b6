package io.remuda.agent.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.TaskFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a user has put in the place of a file keeps nobody who opens it. */
@Timeout(60)
class RegularFileTest {

  @TempDir private Path folder;

  private Path pipe(String name) throws Exception {
    Path pipe = folder.resolve(name);
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    return pipe;
  }

  private static void refused(Path file) {
    String why = file + " is not a regular file";
    assertEquals(why, assertThrows(IOException.class, () -> RegularFile.open(file)).getMessage());
    assertEquals(why, assertThrows(IOException.class, () -> RegularFile.append(file)).getMessage());
  }

  @Test
  void a_file_is_read_and_appended_to_also_by_a_link() throws Exception {
    Path file = Files.writeString(folder.resolve("a b ü"), "one");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    try (OutputStream out = RegularFile.append(link)) {
      out.write(" two".getBytes(StandardCharsets.UTF_8));
    }
    try (RandomAccessFile in = RegularFile.open(link)) {
      assertEquals("one two", in.readLine());
    }
  }

  @Test
  void a_pipe_without_a_writer_a_folder_and_a_device_are_refused_at_once() throws Exception {
    Path pipe = pipe("pipe");
    refused(pipe);
    refused(Files.createSymbolicLink(folder.resolve("link"), pipe));
    refused(folder);
    refused(Path.of("/dev/zero"));
    refused(Path.of("/dev/tty"));
  }

  @Test
  void what_is_not_there_is_not_there() {
    Path none = folder.resolve("none");
    assertThrows(NoSuchFileException.class, () -> RegularFile.open(none));
    assertThrows(NoSuchFileException.class, () -> RegularFile.append(none));
    assertTrue(Files.notExists(none));
  }

  @Test
  void the_logs_of_a_task_that_has_put_a_pipe_there_are_refused_at_once() throws Exception {
    Path out = pipe("out");
    assertThrows(IOException.class, () -> new OutputFile(out).read(0, 100));
  }

  @Test
  void a_warning_to_a_task_that_has_put_a_pipe_in_place_of_its_stderr_is_lost() throws Exception {
    pipe("err");
    assertThrows(IOException.class, () -> new TaskFolder(folder).warn("is slow"));
    Files.delete(folder.resolve("err"));
    new TaskFolder(folder).warn("is slow");
    assertEquals("remuda: this task is slow\n", Files.readString(folder.resolve("err")));
  }
}
