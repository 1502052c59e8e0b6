package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.PinAndFreezeTerms;
import io.remuda.worker.job.PinAndFreezeTerms.FrozenTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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

  @Test
  void the_hash_is_found_in_a_spec_as_it_is_stored() throws IOException {
    FrozenTree tree = new FrozenTree(HASH, "/a", "/");
    CommandWorkload command =
        new CommandWorkload(
            List.of("true"), Map.of(), "/", 022, null, new PinAndFreezeTerms(false, tree));
    assertEquals(
        Set.of(HASH), FrozenTreeCleanup.hashes(new JsonMapper().writeValueAsString(command)));
  }
}
