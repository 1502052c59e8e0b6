package io.remuda.worker.workload.mnist.data;

import java.nio.file.Path;

/**
 * A folder whose four files were checked.
 *
 * @param folder holds the files themselves, not a parent of them
 */
public record LocatedData(Path folder, DataOrigin origin) {}
