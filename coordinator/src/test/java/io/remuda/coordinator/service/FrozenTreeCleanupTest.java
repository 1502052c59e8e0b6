package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.StoreSamples;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PinAndFreezeTerms;
import io.remuda.worker.job.PinAndFreezeTerms.FrozenTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frozen trees are removed a while after the last job that needs them has ended. */
class FrozenTreeCleanupTest {
  private static final String HASH = "ab".repeat(32);
  private static final long NOW = FrozenTreeCleanup.KEPT.toMillis() * 10;

  @TempDir private Path folder;

  private Path tree(long time) throws IOException {
    Path file = Files.writeString(folder.resolve(HASH + ".tree.gz"), "x");
    return Files.setLastModifiedTime(file, FileTime.fromMillis(time));
  }

  @Test
  void a_tree_that_a_job_needs_stays_however_old_it_is() throws IOException {
    Path tree = tree(1000);
    FrozenTreeCleanup.sweep(folder, Set.of(HASH), NOW);
    assertEquals(NOW, Files.getLastModifiedTime(tree).toMillis(), "it is needed now");
  }

  @Test
  void a_tree_that_no_job_needs_stays_for_a_week() throws IOException {
    Path tree = tree(NOW - FrozenTreeCleanup.KEPT.toMillis());
    FrozenTreeCleanup.sweep(folder, Set.of(), NOW);
    assertTrue(Files.exists(tree));
    FrozenTreeCleanup.sweep(folder, Set.of(), NOW + 1);
    assertFalse(Files.exists(tree));
  }

  private static JobSpec job(FrozenTree tree) {
    CommandWorkload plain = new CommandWorkload(List.of("true"), Map.of("A", "b"), "/", 022);
    CommandWorkload frozen =
        new CommandWorkload(
            List.of("true"), Map.of(), "/", 022, null, new PinAndFreezeTerms(false, tree));
    JobSpec like = StoreSamples.spec(1, 1);
    return new JobSpec(
        like.id(),
        like.uuid(),
        like.name(),
        like.user(),
        false,
        like.request(),
        1,
        JobTerms.USUAL,
        List.of(plain, frozen));
  }

  private static String body(FrozenTree tree) {
    return JobSpecCodec.write(job(tree)).body();
  }

  @Test
  void the_hash_is_found_in_a_job_as_it_is_stored() throws Exception {
    String body = body(new FrozenTree(HASH, "/a", "/"));
    assertEquals(Set.of(HASH), JobSpecCodec.frozenTrees(body));
    assertTrue(body.contains(JobSpecCodec.WITH_FROZEN_TREE.replace("%", "")));
  }

  @Test
  void the_order_of_the_fields_does_not_matter() throws Exception {
    String body = body(new FrozenTree(HASH, "/a", "/"));
    String other =
        body.replace(
            "\"tree\":{\"hash\":\"" + HASH + "\",\"archive\":\"/a\",\"root\":\"/\"}",
            "\"tree\" : {\"root\":\"/\", \"archive\":\"/a\", \"hash\":\"" + HASH + "\"}");
    assertNotEquals(body, other);
    assertEquals(Set.of(HASH), JobSpecCodec.frozenTrees(other));
  }

  @Test
  void the_tree_of_a_job_that_waits_for_long_is_kept_and_that_of_none_is_not() throws Exception {
    Path trees = Files.createDirectories(folder.resolve("trees"));
    String other = "cd".repeat(32);
    for (String hash : List.of(HASH, other)) {
      Path file = Files.writeString(trees.resolve(hash + ".tree.gz"), "x");
      Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
    }
    StoreOpener.Opened store = StoreOpener.open(folder, Clock.systemUTC());
    try (StoreReader reader = store.store().reader()) {
      JobSpec job = job(new FrozenTree(HASH, "/a", "/"));
      StoreSamples.write(
          store.journal(),
          new StoreChange.JobAdded(job, StoreSamples.row(job, TaskState.SUBMITTED, 0)));
      FrozenTreeCleanup.sweep(reader, trees, Clock.systemUTC());
    } finally {
      store.journal().close();
    }
    assertTrue(Files.exists(trees.resolve(HASH + ".tree.gz")));
    assertFalse(Files.exists(trees.resolve(other + ".tree.gz")));
  }
}
