package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.proc.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What killed tasks leave in {@code /dev/shm}. */
class SharedMemoryIT extends WithKeeper {
  private static final Path FOLDER = Path.of("/dev/shm");

  /**
   * A loader with segments as PyTorch names them: one mapped, one that nobody has, one of others.
   */
  private static final String PROGRAM =
      "import mmap, os, time\n"
          + "def make(name):\n"
          + "  f = open('/dev/shm/' + name, 'wb+'); f.truncate(4096); return mmap.mmap(f.fileno(), 4096)\n"
          + "if os.fork() == 0:\n"
          + "  mapped = make('torch_%d_77_0' % os.getpid())\n"
          + "  make('torch_%d_77_1' % os.getpid()).close()\n"
          + "  make('other_%d_77' % os.getpid()).close()\n"
          + "  open('loader', 'w').write('%d' % os.getpid()); os.rename('loader', 'ready')\n"
          + "time.sleep(1000)\n";

  private final List<Path> made = new ArrayList<>();

  @AfterEach
  void clean() throws IOException {
    for (Path file : made) {
      Files.deleteIfExists(file);
    }
  }

  private Path segment(String name) {
    made.add(FOLDER.resolve(name));
    return FOLDER.resolve(name);
  }

  /** Starts the program as a task; returns the pid of its loader. */
  private String loader(String key) throws IOException {
    Path program = Files.writeString(keeper.folder.resolve("program.py"), PROGRAM);
    client.spawn(keeper.requests().shell(key, "exec python3 " + program));
    Path ready = keeper.folder.resolve("ready");
    await().until(() -> Files.exists(ready));
    return Files.readString(ready);
  }

  @Test
  void what_a_killed_loader_has_left_is_removed_before_its_task_is_over_and_nothing_else()
      throws IOException {
    String key = keeper.key("loads");
    String pid = loader(key);
    Path mapped = segment("torch_" + pid + "_77_0");
    Path sent = segment("torch_" + pid + "_77_1");
    Path other = segment("other_" + pid + "_77");
    Path strangers =
        Files.createFile(segment("torch_" + (Integer.parseInt(pid) + 1_000_000) + "_1"));
    assertTrue(Files.exists(mapped) && Files.exists(sent) && Files.exists(other));
    client.kill(key, 0);
    assertEquals(
        new ExitStatus.Signal(Posix.SIGKILL, false), keeper.awaitExit(client, key).status());
    assertFalse(Files.exists(mapped));
    assertFalse(Files.exists(sent));
    assertTrue(Files.exists(other));
    assertTrue(Files.exists(strangers));
  }

  @Test
  void what_another_process_still_has_open_stays() throws IOException {
    String key = keeper.key("shares");
    String pid = loader(key);
    Path mapped = segment("torch_" + pid + "_77_0");
    Path sent = segment("torch_" + pid + "_77_1");
    segment("other_" + pid + "_77");
    try (var open = Files.newByteChannel(mapped)) {
      client.kill(key, 0);
      keeper.awaitExit(client, key);
      assertTrue(Files.exists(mapped) && open.isOpen());
      assertFalse(Files.exists(sent));
    }
  }
}
