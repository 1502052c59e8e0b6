package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Queries of a store in a file. */
class SqliteStoreQueryTest extends StoreQueryContract {

  @TempDir private Path folder;

  @Override
  StoreOpener.Opened open() throws Exception {
    return StoreOpener.open(folder, CLOCK);
  }
}
