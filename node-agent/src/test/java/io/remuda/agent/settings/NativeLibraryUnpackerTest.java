package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("attack")
@Tag("attack-bad-disk")
@Timeout(120)
class NativeLibraryUnpackerTest {

  private static final String MOUNTS =
      """
      21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
      22 21 0:20 / /tmp rw,nosuid,noexec - tmpfs tmpfs rw
      23 22 0:21 / /tmp/a\\040b rw,exec - tmpfs tmpfs rw
      24 21 0:22 / /data rw - xfs /dev/sdb rw
      25 21 0:23 / /data rw,noexec - xfs /dev/sdc rw
      """;

  @TempDir private Path folder;

  @Test
  void a_folder_that_is_mounted_noexec_is_told_by_its_mount() {
    assertEquals(Optional.of("/tmp"), at("/tmp/cache"));
    assertEquals(Optional.empty(), at("/tmp/a b/cache"), "another mount below");
    assertEquals(Optional.empty(), at("/tmpx"));
    assertEquals(Optional.of("/data"), at("/data/x"), "the later mount hides the earlier");
  }

  private static Optional<String> at(String path) {
    return NativeLibraryUnpacker.noexecMount(Path.of(path), MOUNTS);
  }

  @Test
  void a_library_is_unpacked_once_and_again_if_it_was_torn() throws IOException {
    byte[] code = {1, 2, 3, 4};
    Path packed = Files.write(folder.resolve("libx.so"), code);
    Path cache = folder.resolve("cache");
    Path file = NativeLibraryUnpacker.unpack(cache, "x", packed.toUri().toURL());
    Object first = Files.getAttribute(file, "unix:ino");
    assertEquals(file, NativeLibraryUnpacker.unpack(cache, "x", packed.toUri().toURL()));
    assertEquals(first, Files.getAttribute(file, "unix:ino"), "it was there");
    Files.write(file, new byte[1]);
    NativeLibraryUnpacker.unpack(cache, "x", packed.toUri().toURL());
    assertArrayEquals(code, Files.readAllBytes(file));
    try (Stream<Path> left = Files.list(file.getParent())) {
      assertEquals(List.of(file), left.toList());
    }
  }
}
