package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.testkit.CapturedLog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that does not start says why, and nothing else. */
@Timeout(240)
class RefusedStartTest {

  @TempDir private Path home;

  @Test
  void a_start_that_a_damaged_state_refuses_ends_without_stack_traces() throws Exception {
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    StoreOpener.open(home, Clock.systemUTC()).journal().close();
    try (Connection other =
            DriverManager.getConnection("jdbc:sqlite:" + home.resolve(StoreOpener.FILE));
        Statement statement = other.createStatement()) {
      statement.execute("PRAGMA user_version = -5");
    }
    RunningJobServer.Request request =
        new RunningJobServer.Request(
            home,
            home.resolve("cache"),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            true,
            "ann",
            "n1",
            Optional.empty(),
            null,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            ServiceStandIns.NONE);
    try (CapturedLog log = CapturedLog.open()) {
      for (int start = 0; start < 5; start++) { // it was a race that showed in one of seven
        String why =
            assertThrows(StoreDamagedException.class, () -> RunningJobServer.start(request))
                .getMessage();
        assertEquals(-1, why.indexOf('\n'), why);
      }
      for (String words : List.of("ClusterReceptionist", "ERROR", "\tat ", "Exception")) {
        assertFalse(log.contains(words), words);
      }
    }
  }
}
