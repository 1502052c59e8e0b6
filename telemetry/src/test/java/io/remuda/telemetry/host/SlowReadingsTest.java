package io.remuda.telemetry.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.host.MountTable.Mount;
import io.remuda.telemetry.model.FileSystemReading;
import io.remuda.telemetry.model.TemperatureReading;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlowReadingsTest {
  private static final Mount ROOT = new Mount("/", "ext4", false);
  private static final Mount HOME = new Mount("/home", "nfs4", true);
  private static final Mount SCRATCH = new Mount("/scratch", "nfs4", true);

  private final CountDownLatch served = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean homeAnswers;
  private volatile List<TemperatureReading> sensors = List.of();
  private final SlowReadings readings =
      new SlowReadings(() -> List.of(ROOT, HOME, SCRATCH), this::room, () -> sensors);

  private long[] room(File folder) {
    if (folder.getPath().equals("/home")) {
      asked.incrementAndGet();
      if (!homeAnswers) {
        awaitServer();
      }
    }
    return new long[] {100, 40, 30};
  }

  private void awaitServer() {
    try {
      served.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void serve() {
    served.countDown();
  }

  private static long at(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private List<String> folders(int seconds) {
    List<FileSystemReading> known = readings.fileSystems(at(seconds));
    return known == null ? List.of() : known.stream().map(FileSystemReading::mount).toList();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "not within a minute");
      Thread.sleep(5);
    }
  }

  @Test
  void file_systems_have_size_and_use() throws InterruptedException {
    homeAnswers = true;
    readings.renew(0);
    await(() -> folders(1).size() == 3);
    assertEquals(
        new FileSystemReading("/", "ext4", 100, 60, 30), readings.fileSystems(at(1)).get(0));
  }

  @Test
  void a_mount_that_stands_still_costs_its_own_reading_alone() throws InterruptedException {
    readings.renew(0);
    await(() -> asked.get() == 1);
    assertEquals(List.of("/"), folders(1), "the local one was read before");
    for (int seconds = 10; seconds <= 60; seconds += 10) {
      readings.renew(at(seconds));
      await(() -> readings.threads() == 1); // the one that stands still
    }
    assertEquals(List.of("/", "/scratch"), folders(60));
    assertEquals(1, asked.get(), "no second thread goes inside");
    homeAnswers = true;
    serve();
    await(() -> readings.threads() == 0);
    for (int seconds = 70; seconds <= 90; seconds += 10) {
      readings.renew(at(seconds));
      await(() -> readings.threads() == 0);
    }
    await(() -> folders(90).contains("/home"));
  }

  @Test
  void mounts_that_stand_still_leave_what_is_local_however_many_they_are()
      throws InterruptedException {
    List<Mount> mounts = new ArrayList<>(List.of(ROOT));
    for (int at = 0; at < 20; at++) {
      mounts.add(new Mount("/away/" + at, "nfs4", true));
    }
    SlowReadings many =
        new SlowReadings(
            () -> mounts,
            folder -> {
              if (folder.getPath().startsWith("/away")) {
                awaitServer();
              }
              return new long[] {100, 40, 30};
            },
            () -> List.of(new TemperatureReading("cpu", 40)));
    int seconds = 0;
    for (; seconds < 900; seconds += 10) {
      int now = seconds;
      many.renew(at(now));
      await(() -> many.temperatures(at(now + 24)) != null && many.threads() < 8);
    }
    long last = at(seconds + 15);
    assertEquals(List.of("/"), many.fileSystems(last).stream().map(one -> one.mount()).toList());
    assertNotNull(many.temperatures(last));
  }

  @Test
  void what_was_not_renewed_is_not_known_any_more() throws InterruptedException {
    sensors = List.of(new TemperatureReading("cpu", 40));
    homeAnswers = true;
    readings.renew(0);
    await(() -> folders(1).size() == 3 && readings.temperatures(at(1)) != null);
    assertEquals(3, folders(75).size());
    assertEquals(sensors, readings.temperatures(at(25)));
    assertNull(readings.temperatures(at(26)));
    assertNull(readings.fileSystems(at(76)));
  }

  @Test
  void mounts_are_listed_once_and_without_what_has_no_room_of_its_own() {
    assertEquals(
        List.of(
            new Mount("/", "ext4", false),
            new Mount("/data disk", "xfs", false),
            new Mount("/pool", "zfs", false),
            new Mount("/home", "nfs4", true)),
        MountTable.of(
            """
            proc /proc proc rw 0 0
            tmpfs /dev/shm tmpfs rw 0 0
            /dev/vda1 /var/lib/docker ext4 rw 0 0
            /dev/vda1 / ext4 rw 0 0
            /dev/loop3 /snap/core squashfs ro 0 0
            /dev/sdb1 /data\\040disk xfs rw 0 0
            pool /pool zfs rw 0 0
            overlay /var/lib/docker/overlay2/x/merged overlay rw 0 0
            systemd-1 /misc autofs rw 0 0
            files:/home /home nfs4 rw 0 0
            files:/home /mnt/home nfs4 rw 0 0
            """));
  }

  @Test
  void a_container_has_the_file_system_that_it_stands_on() {
    assertEquals(
        List.of(new Mount("/", "overlay", false)),
        MountTable.of("overlay / overlay rw,lowerdir=x 0 0\nproc /proc proc rw 0 0\n"));
  }
}
