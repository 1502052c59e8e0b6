package io.remuda.worker.workload.mnist.data;

/** The four files of the data set, with the MD5 of their unpacked bytes in the genuine MNIST. */
enum MnistFileKind {
  TRAIN_IMAGES("train-images-idx3-ubyte", 3, "6bbc9ace898e44ae57da46a324031adb"),
  TRAIN_LABELS("train-labels-idx1-ubyte", 1, "a25bea736e30d166cdddb491f175f624"),
  TEST_IMAGES("t10k-images-idx3-ubyte", 3, "2646ac647ad5339dbf082846283269ea"),
  TEST_LABELS("t10k-labels-idx1-ubyte", 1, "27ae3e4e09519cfbb04c329615203637");

  private final String fileName;
  private final int dimensions;
  private final String md5;

  MnistFileKind(String fileName, int dimensions, String md5) {
    this.fileName = fileName;
    this.dimensions = dimensions;
    this.md5 = md5;
  }

  /** Returns the uncompressed file's name. */
  String fileName() {
    return fileName;
  }

  String packedName() {
    return fileName + ".gz";
  }

  /** Returns 3 for images (count, rows, columns), 1 for labels. */
  int dimensions() {
    return dimensions;
  }

  /** Returns the MD5 of the uncompressed file in lower-case hexadecimal. */
  String md5() {
    return md5;
  }

  boolean holdsImages() {
    return dimensions == 3;
  }
}
