package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;

import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.testkit.TestPostgres;
import org.junit.jupiter.api.Timeout;

/** Queries of a store in a real PostgreSQL server. */
@Timeout(120)
class PostgresStoreQueryTest extends StoreQueryContract {

  @Override
  StoreOpener.Opened open() throws Exception {
    return StoreOpener.open(new PostgresDatabase(TestPostgres.newUrl()), CLOCK);
  }
}
