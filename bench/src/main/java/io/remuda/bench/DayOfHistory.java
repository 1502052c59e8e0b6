package io.remuda.bench;

import io.remuda.coordinator.history.HistoryCurve;
import io.remuda.coordinator.history.HistoryMetric;
import io.remuda.coordinator.history.HistoryStore;
import io.remuda.coordinator.history.HistoryTier;
import io.remuda.coordinator.history.SeriesKey;
import io.remuda.coordinator.history.SeriesKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Writes a day of 8 nodes with 8 GPUs each into a server's folder, as if it had run until now, and
 * reads one metric of all GPUs back. The names are those of {@link ManyAgents}. Each GPU works for
 * an hour or so and rests then; utilization and power are noisy, memory has steps.
 *
 * <p>Argument: the folder {@code history} of a server that does not run. It prints the bytes of a
 * point and the milliseconds of reading, both as {@code name<TAB>figure}.
 */
public final class DayOfHistory {
  private static final int NODES = 8;
  private static final int GPUS = 8;
  private static final int DAY = 86_400;
  private static final int POINTS = 1000;
  private static final long MOST = 1L << 30;
  private static final int READS = 21;

  private DayOfHistory() {}

  /** Runs it. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    long now = System.currentTimeMillis() / 1000;
    long begin = now - DAY;
    try (HistoryStore store = HistoryStore.open(folder, MOST, begin)) {
      SplittableRandom random = new SplittableRandom(7);
      for (long second = begin; second < now; second++) {
        store.begin(second);
        for (int gpu = 0; gpu < NODES * GPUS; gpu++) {
          store.put(
              new SeriesKey(SeriesKind.GPU, "GPU-" + gpu / GPUS + "-" + gpu % GPUS),
              reading(random, gpu, second));
        }
      }
    }
    long points = 0;
    for (HistoryTier tier : HistoryTier.values()) {
      points += Math.min(DAY, tier.kept().toSeconds()) / tier.step();
    }
    points *= (long) NODES * GPUS * SeriesKind.GPU.metrics().size();
    System.out.printf("bytes\t%.2f%n", (double) size(folder) / points);
    try (HistoryStore store = HistoryStore.open(folder, MOST, now)) {
      List<SeriesKey> keys =
          store.keys(SeriesKind.GPU, HistoryTier.TEN_SECONDS, begin, now).stream().toList();
      for (int read = 0; read < READS; read++) {
        long from = System.nanoTime();
        List<HistoryCurve> curves =
            store.read(
                keys,
                Set.of(HistoryMetric.GPU_UTILIZATION),
                HistoryTier.MINUTE,
                begin,
                now,
                POINTS);
        System.out.printf("read\t%.2f\t%d%n", (System.nanoTime() - from) / 1e6, curves.size());
      }
    }
  }

  private static int[] reading(SplittableRandom random, int gpu, long second) {
    long turn = (second + gpu * 997L) / 3600;
    boolean works = (turn * 31 + gpu) % 4 != 0;
    int utilization = works ? 70 + (int) (turn % 20) + random.nextInt(10) : 0;
    int memory = works ? 20_000 + (int) (turn % 7) * 8000 : 450;
    int power = works ? 350 + utilization + random.nextInt(20) : 70 + random.nextInt(2);
    int temperature = works ? 58 + random.nextInt(2) : 33;
    return new int[] {utilization, memory, works ? 40_960 : 0, power, temperature};
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
