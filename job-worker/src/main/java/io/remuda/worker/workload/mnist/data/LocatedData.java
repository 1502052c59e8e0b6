package io.remuda.worker.workload.mnist.data;

import java.nio.file.Path;

/**
 * A data folder with all four files; their contents are checked unless the digits are drawn.
 *
 * @param folder holds the files themselves, not a parent of them
 */
public record LocatedData(Path folder, DataOrigin origin) {}
