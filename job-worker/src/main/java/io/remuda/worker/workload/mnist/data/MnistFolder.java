package io.remuda.worker.workload.mnist.data;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * A folder with the four files, each uncompressed or compressed with gzip, and the checks that they
 * must pass: the header, images of 28x28, as many labels as images, labels 0 to 9 and, if
 * requested, the checksums.
 */
final class MnistFolder {

  /** Rows and columns of an image. */
  static final int SIDE = 28;

  private static final int LABELS = 10;

  private final Path folder;
  private final boolean verify;

  private MnistFolder(Path folder, boolean verify) {
    this.folder = folder;
    this.verify = verify;
  }

  /**
   * Finds the files in a folder or in its subfolder MNIST/raw, where torchvision puts them.
   *
   * @param verify whether the uncompressed bytes must have the genuine MNIST's checksums
   * @throws DataException when the folder does not exist or contains none of the files
   */
  static MnistFolder at(Path given, boolean verify) throws DataException {
    if (!Files.isDirectory(given)) {
      throw new DataException(
          given
              + (Files.exists(given) ? " is not a folder" : " does not exist")
              + "; name the folder that holds the four MNIST files, "
              + MnistFileKind.TRAIN_IMAGES.packedName()
              + " and so on");
    }
    for (Path folder : List.of(given, given.resolve("MNIST").resolve("raw"))) {
      for (MnistFileKind file : MnistFileKind.values()) {
        if (find(folder, file).isPresent()) {
          return new MnistFolder(folder, verify);
        }
      }
    }
    throw missing(given, MnistFileKind.TRAIN_IMAGES);
  }

  /** Returns whether all four files exist, without reading them. */
  static boolean isComplete(Path folder) {
    for (MnistFileKind file : MnistFileKind.values()) {
      if (find(folder, file).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  Path path() {
    return folder;
  }

  /** Checks all files; takes under half a second for compressed MNIST. */
  void check() throws DataException {
    read();
  }

  /** Reads and checks all four files. */
  MnistImages read() throws DataException {
    return new MnistImages(
        readPart(MnistFileKind.TRAIN_IMAGES, MnistFileKind.TRAIN_LABELS),
        readPart(MnistFileKind.TEST_IMAGES, MnistFileKind.TEST_LABELS));
  }

  private MnistImages.ImageSet readPart(MnistFileKind imageFile, MnistFileKind labelFile)
      throws DataException {
    IdxArray labels = readArray(labelFile);
    IdxArray images = readArray(imageFile);
    if (labels.count() != images.count()) {
      throw bad(
          labelFile,
          "it has " + labels.count() + " labels for " + images.count() + " images",
          null);
    }
    return new MnistImages.ImageSet(images.count(), images.values(), labels.values());
  }

  private IdxArray readArray(MnistFileKind file) throws DataException {
    byte[] bytes = unpack(file);
    IdxArray array;
    try {
      array = IdxArray.parse(bytes, file.dimensions());
    } catch (IllegalArgumentException e) {
      throw bad(file, e.getMessage(), e);
    }
    checkValues(file, array);
    if (verify && !Md5Checksum.of(bytes).equals(file.md5())) {
      throw bad(
          file,
          "its MD5 is " + Md5Checksum.of(bytes) + ", the genuine MNIST has " + file.md5(),
          null);
    }
    return array;
  }

  private void checkValues(MnistFileKind file, IdxArray array) throws DataException {
    if (file.holdsImages()) {
      int rows = array.dimensions()[1];
      int columns = array.dimensions()[2];
      if (rows != SIDE || columns != SIDE) {
        throw bad(file, "its images are " + rows + "x" + columns + ", not 28x28", null);
      }
      return;
    }
    for (int i = 0; i < array.count(); i++) {
      int label = array.values()[i] & 0xff;
      if (label >= LABELS) {
        throw bad(file, "label " + i + " is " + label + ", not 0 to 9", null);
      }
    }
  }

  private byte[] unpack(MnistFileKind file) throws DataException {
    Path path = find(folder, file).orElseThrow(() -> missing(folder, file));
    try {
      byte[] bytes = Files.readAllBytes(path);
      if (!path.toString().endsWith(".gz")) {
        return bytes;
      }
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes), 1 << 16)) {
        return in.readAllBytes();
      }
    } catch (IOException e) {
      throw bad(file, "it cannot be read: " + e, e);
    }
  }

  private static Optional<Path> find(Path folder, MnistFileKind file) {
    for (String name : List.of(file.fileName(), file.packedName())) {
      Path path = folder.resolve(name);
      if (Files.isRegularFile(path)) {
        return Optional.of(path);
      }
    }
    return Optional.empty();
  }

  private DataException bad(MnistFileKind file, String what, Throwable cause) {
    Path path = find(folder, file).orElse(folder.resolve(file.fileName()));
    String advice =
        verify
            ? "; replace it, or pass --no-verify if this is another set of the same format"
            : "; replace it";
    return new DataException(path + ": " + what + advice, cause);
  }

  private static DataException missing(Path folder, MnistFileKind file) {
    return new DataException(
        folder
            + " has neither "
            + file.fileName()
            + " nor "
            + file.packedName()
            + "; name a folder with all four MNIST files, or name none to use the cache or a"
            + " download");
  }
}
