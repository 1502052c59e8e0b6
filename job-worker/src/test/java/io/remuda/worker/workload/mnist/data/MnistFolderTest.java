package io.remuda.worker.workload.mnist.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MnistFolderTest {

  @TempDir Path temp;
  Path folder;

  @BeforeEach
  void drawASmallSet() throws IOException {
    folder = temp.resolve("set");
    DrawnDigitDataset.draw(folder, 1, 50, 20);
  }

  @Test
  void the_genuine_files_pass_with_their_checksums() throws DataException {
    assumeTrue(GenuineMnist.folder().isPresent(), GenuineMnist.ABSENT);
    MnistImages images = MnistFolder.at(GenuineMnist.folder().orElseThrow(), true).read();
    assertEquals(60_000, images.train().count());
    assertEquals(10_000, images.test().count());
    assertArrayEquals(new byte[] {5, 0, 4, 1, 9}, Arrays.copyOf(images.train().labels(), 5));
  }

  @Test
  void another_set_passes_only_when_checksums_are_off() throws DataException {
    assertEquals(50, MnistFolder.at(folder, false).read().train().count());
    assertRefused(folder, true, "train-labels-idx1-ubyte", "MD5", "--no-verify");
  }

  @Test
  void packed_files_are_read_like_plain_ones() throws IOException, DataException {
    MnistImages plain = MnistFolder.at(folder, false).read();
    for (MnistFileKind file : MnistFileKind.values()) {
      try (OutputStream out =
          new GZIPOutputStream(Files.newOutputStream(folder.resolve(file.packedName())))) {
        Files.copy(folder.resolve(file.fileName()), out);
      }
      Files.delete(folder.resolve(file.fileName()));
    }
    MnistImages packed = MnistFolder.at(folder, false).read();
    assertArrayEquals(plain.train().pixels(), packed.train().pixels());
    assertArrayEquals(plain.test().labels(), packed.test().labels());
  }

  @Test
  void the_layout_of_torchvision_is_found_from_its_root() throws IOException, DataException {
    Path raw = temp.resolve("data").resolve("MNIST").resolve("raw");
    Files.createDirectories(raw.getParent());
    Files.move(folder, raw);
    assertEquals(raw, MnistFolder.at(temp.resolve("data"), false).path());
  }

  @Test
  void a_folder_that_does_not_exist_is_named() {
    assertRefused(temp.resolve("nowhere"), true, "nowhere", "does not exist");
  }

  @Test
  void a_missing_file_is_named() throws IOException {
    Files.delete(folder.resolve("t10k-labels-idx1-ubyte"));
    assertRefused(folder, false, "t10k-labels-idx1-ubyte", "has neither");
  }

  @Test
  void an_empty_folder_is_refused() throws IOException {
    Path empty = Files.createDirectory(temp.resolve("empty"));
    assertRefused(empty, false, "has neither", "train-images-idx3-ubyte");
  }

  @Test
  void labels_above_nine_are_refused() throws IOException {
    Path labels = folder.resolve("train-labels-idx1-ubyte");
    byte[] bytes = Files.readAllBytes(labels);
    bytes[8 + 3] = 17;
    Files.write(labels, bytes);
    assertRefused(folder, false, "label 3 is 17", "train-labels-idx1-ubyte");
  }

  @Test
  void as_many_labels_as_images_are_wanted() throws IOException {
    Files.copy(
        folder.resolve("t10k-labels-idx1-ubyte"),
        folder.resolve("train-labels-idx1-ubyte"),
        StandardCopyOption.REPLACE_EXISTING);
    assertRefused(folder, false, "20 labels for 50 images");
  }

  @Test
  void a_broken_archive_is_named() throws IOException {
    Files.delete(folder.resolve("train-images-idx3-ubyte"));
    Files.write(folder.resolve("train-images-idx3-ubyte.gz"), new byte[] {1, 2, 3});
    assertRefused(folder, false, "train-images-idx3-ubyte.gz", "cannot be read");
  }

  private static void assertRefused(Path folder, boolean verify, String... saying) {
    DataException refusal =
        assertThrows(DataException.class, () -> MnistFolder.at(folder, verify).check());
    for (String part : saying) {
      assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
    }
  }
}
