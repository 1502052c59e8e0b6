package io.remuda.coordinator.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store whose files were cut at every byte of their last pages, and have random bytes in 1,000
 * places: detected or harmless, never wrong silently. {@code -Dfaults.seed=1 -Dstore.flips=10000}
 */
class StoreFaultIT {
  private static final int FLIPS = Integer.getInteger("store.flips", 1000);
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

  @TempDir private Path folder;

  @Test
  void a_log_cut_at_any_byte_of_its_last_page_is_without_its_last_write_and_says_so()
      throws Exception {
    StoreFiles good = StoreFiles.write(folder);
    DamagedStores stores = new DamagedStores(good, folder.resolve("damaged"));
    for (int cut = 1; cut <= StoreFiles.FRAME; cut++) {
      stores.tryOut(good.withLogCutBy(cut), "log cut by " + cut);
    }
    System.out.println("store: log cut by 1 to " + StoreFiles.FRAME + " bytes: " + stores);
  }

  @Test
  void a_file_cut_at_any_byte_of_its_last_page_is_detected_or_made_whole_by_its_log()
      throws Exception {
    StoreFiles good = StoreFiles.write(folder);
    DamagedStores stores = new DamagedStores(good, folder.resolve("damaged"));
    StoreFiles closed = good.closed(folder.resolve("closed"));
    DamagedStores alone = new DamagedStores(closed, folder.resolve("alone"));
    for (int cut = 1; cut <= StoreFiles.PAGE; cut++) {
      stores.tryOut(good.withMainCutBy(cut), "file cut by " + cut);
      alone.tryOut(closed.withMainCutBy(cut), "file without a log cut by " + cut);
    }
    System.out.println("store: file cut by 1 to " + StoreFiles.PAGE + " bytes: " + stores);
    System.out.println("store: the same without a log: " + alone);
  }

  @Test
  void random_bytes_at_random_places_are_detected_or_harmless() throws Exception {
    System.out.println("store: seed " + SEED + ", " + FLIPS + " flips");
    StoreFiles good = StoreFiles.write(folder);
    DamagedStores stores = new DamagedStores(good, folder.resolve("damaged"));
    Random random = new Random(SEED);
    for (int flip = 0; flip < FLIPS; flip++) {
      int at = random.nextInt(good.size());
      int bits = 1 + random.nextInt(255);
      stores.tryOut(good.withFlipped(at, bits), "seed " + SEED + ": byte " + at + " ^ " + bits);
    }
    System.out.println(
        "store: in " + good.main().length + " + " + good.log().length + " bytes: " + stores);
    assertTrue(stores.detected() > 0, "not one was noticed");
  }
}
