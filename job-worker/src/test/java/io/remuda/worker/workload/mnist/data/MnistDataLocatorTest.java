package io.remuda.worker.workload.mnist.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MnistDataLocatorTest {

  /** Nothing listens on port 1. */
  private static final URI UNREACHABLE = URI.create("http://127.0.0.1:1/");

  @TempDir Path temp;
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private FakeMirror mirror;
  private Path cache;

  @BeforeEach
  void startMirror() throws IOException {
    mirror = FakeMirror.start();
    cache = temp.resolve("cache");
  }

  @AfterEach
  void stopMirror() {
    mirror.stop();
  }

  @Test
  void a_given_folder_is_used_and_nothing_is_fetched_or_written() throws Exception {
    DrawnDigitDataset.draw(temp.resolve("mine"), 1, 30, 10);
    LocatedData located =
        MnistDataLocator.locate(
            new DataRequest(temp.resolve("mine"), cache, false, 1), said::add, mirrors());
    assertEquals(new LocatedData(temp.resolve("mine"), DataOrigin.GIVEN), located);
    assertEquals(0, mirror.requests());
    assertFalse(Files.exists(cache));
  }

  @Test
  void a_given_folder_that_is_no_good_is_an_error_and_not_a_reason_to_download() {
    DataRequest request = new DataRequest(temp.resolve("nowhere"), cache, true, 1);
    assertThrows(DataException.class, () -> MnistDataLocator.locate(request, said::add, mirrors()));
    assertEquals(0, mirror.requests());
  }

  @Test
  void an_empty_cache_is_filled_by_one_download_and_then_used() throws Exception {
    mirror.serve(genuine());
    assertEquals(DataOrigin.DOWNLOADED, locate(mirrors()).origin());
    assertEquals(4, mirror.requests());
    assertTrue(said.get(0).contains("downloading train-images-idx3-ubyte.gz"), said.toString());
    LocatedData again = locate(mirrors());
    assertEquals(new LocatedData(cache.resolve("mnist"), DataOrigin.CACHE), again);
    assertEquals(4, mirror.requests());
    assertEquals(60_000, MnistImages.load(again).train().count());
  }

  @Test
  void many_at_once_share_one_download() throws Exception {
    mirror.serve(genuine());
    ExecutorService workers = Executors.newFixedThreadPool(4); // the JDK's client needs the common
    Set<DataOrigin> origins = new HashSet<>();
    try {
      Callable<DataOrigin> one = () -> locate(mirrors()).origin();
      for (Future<DataOrigin> origin : workers.invokeAll(Collections.nCopies(4, one))) {
        origins.add(origin.get());
      }
    } finally {
      workers.shutdown();
    }
    assertEquals(4, mirror.requests());
    assertEquals(Set.of(DataOrigin.DOWNLOADED, DataOrigin.CACHE), origins);
  }

  @Test
  void the_second_mirror_is_tried_when_the_first_fails() throws Exception {
    mirror.serve(genuine());
    assertEquals(DataOrigin.DOWNLOADED, locate(List.of(UNREACHABLE, mirror.uri())).origin());
  }

  @Test
  void a_damaged_cache_is_fetched_again() throws Exception {
    mirror.serve(genuine());
    Path damaged = locate(mirrors()).folder().resolve("t10k-labels-idx1-ubyte.gz");
    Files.write(damaged, new byte[] {1, 2, 3});
    assertEquals(DataOrigin.DOWNLOADED, locate(mirrors()).origin());
    assertTrue(said.stream().anyMatch(line -> line.contains("damaged")), said.toString());
  }

  @Test
  void wrong_bytes_are_not_kept_and_digits_are_drawn_instead() throws Exception {
    DrawnDigitDataset.draw(temp.resolve("other"), 1, 30, 10);
    mirror.servePacked(temp.resolve("other"));
    LocatedData located = locate(mirrors());
    assertEquals(DataOrigin.DRAWN, located.origin());
    assertEquals(cache.resolve("drawn-1").resolve("seed-1"), located.folder());
    assertEquals(60_000, MnistImages.load(located).train().count());
    assertTrue(said.stream().anyMatch(line -> line.contains("MD5")), said.toString());
    assertTrue(said.get(said.size() - 1).contains("drawn by this program"), said.toString());
    try (var files = Files.list(cache.resolve("mnist"))) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void a_failed_download_is_not_tried_again_at_once() throws Exception {
    assertEquals(DataOrigin.DRAWN, locate(List.of(UNREACHABLE)).origin());
    said.clear();
    assertEquals(DataOrigin.DRAWN, locate(mirrors()).origin());
    assertEquals(0, mirror.requests());
    assertEquals(1, said.size(), said.toString());
  }

  @Test
  void a_cache_that_cannot_be_written_is_an_error_that_says_what_to_do() throws IOException {
    cache = Files.createFile(temp.resolve("file")).resolve("cache");
    DataException refusal = assertThrows(DataException.class, () -> locate(mirrors()));
    assertTrue(refusal.getMessage().contains("--data-dir"), refusal.getMessage());
  }

  private LocatedData locate(List<URI> from) throws DataException {
    return MnistDataLocator.locate(new DataRequest(null, cache, true, 1), said::add, from);
  }

  private List<URI> mirrors() {
    return List.of(mirror.uri());
  }

  private static Path genuine() {
    assumeTrue(GenuineMnist.folder().isPresent(), GenuineMnist.ABSENT);
    return GenuineMnist.folder().orElseThrow();
  }
}
