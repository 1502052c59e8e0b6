package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.testkit.ServiceUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A preemptible job of one core that counts, saves its work when it is asked to, and goes on. */
final class CountingJob {
  private static final Duration SOON = Duration.ofSeconds(90);

  /**
   * Counts up once in 0.1 s from where its last attempt has saved, and saves when it is asked; its
   * log has each number once. It does not leave while there is a file {@code keep}. Ends at 1000,
   * or as soon as there is a file {@code enough}.
   */
  private static final String COUNTS =
      "n=$(cat saved 2>/dev/null || echo 0);"
          + " save() { while [ -e keep ]; do sleep 0.1; done; sleep 0.3; echo $n > draft;"
          + " mv draft saved; exit 0; }; trap save USR1;"
          + " echo begin $REMUDA_ATTEMPT at $n >> log;"
          + " while [ $n -lt 1000 ] && [ ! -e enough ]; do n=$((n+1)); echo $n >> numbers;"
          + " touch ready; sleep 0.1; done";

  private final ServiceUnderTest service;
  private final Path folder;
  private long job;

  /** A job that is to work in this folder. */
  CountingJob(ServiceUnderTest service, Path folder) {
    this.service = service;
    this.folder = folder;
  }

  /** Submits it, waits until it counts, and gives its number. */
  long start() throws IOException {
    job =
        service.submit(
            COUNTS,
            "preemptible",
            true,
            "preemptSignal",
            "USR1",
            "preemptAfter",
            "0s",
            "grace",
            "10m", // until the test lets it leave, however busy the machine is
            "cpus",
            1,
            "workdir",
            folder.toString());
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    return job;
  }

  /** It does not leave, though it is asked to, until {@link #mayLeave}. */
  void keepsItsPlace() throws IOException {
    Files.createFile(folder.resolve("keep"));
  }

  void mayLeave() throws IOException {
    Files.delete(folder.resolve("keep"));
  }

  /** Lets it end, and checks that it has lost and repeated nothing. */
  void endsWithOnceEach() throws IOException {
    Files.createFile(folder.resolve("enough"));
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    String[] numbers = Files.readString(folder.resolve("numbers")).trim().split("\n");
    for (int i = 0; i < numbers.length; i++) {
      assertEquals(Integer.toString(i + 1), numbers[i]);
    }
  }
}
