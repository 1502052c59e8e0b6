package io.remuda.coordinator.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkFileSystemsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"nfs4", "NFS", "lustre", "fuse.sshfs", "cifs", "beegfs", "gpfs"})
  void file_systems_that_machines_share_are_known_by_their_type(String type) {
    assertTrue(NetworkFileSystems.isOne(type));
  }

  @Test
  void a_state_on_a_local_disk_is_good() {
    assertEquals(Optional.empty(), NetworkFileSystems.warningOf(Path.of("/proc")));
    assertFalse(NetworkFileSystems.isOne("ext4"));
    assertEquals(Optional.empty(), NetworkFileSystems.warningOf(folder.resolve("missing")));
  }

  /** A mount that calls itself one, as bindfs can. */
  @Test
  void a_state_on_a_network_file_system_is_warned_of_with_what_to_set() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bindfs")), "skipped: no bindfs");
    Path source = Files.createDirectory(folder.resolve("source"));
    Path mount = Files.createDirectory(folder.resolve("mount"));
    assumeTrue(
        run("bindfs", "-o", "subtype=sshfs", source.toString(), mount.toString()) == 0,
        "skipped: nothing can be mounted by FUSE here");
    try {
      String warning = NetworkFileSystems.warningOf(mount).orElseThrow();
      assertTrue(warning.contains("fuse.sshfs") && warning.contains("REMUDA_HOME"), warning);
    } finally {
      run("fusermount", "-uz", mount.toString());
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).start().waitFor();
  }
}
