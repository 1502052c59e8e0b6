package io.remuda.agent.training;

import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Programs that trainings call and that a node may lack. */
final class NvidiaSmiStandIn {

  /** What the library reads from nvidia-smi, without a GPU in it; the agent measures memory. */
  private static final String NVIDIA_SMI =
      "#!/bin/sh\n"
          + "# There is no nvidia-smi here. Remuda puts this at the end of the PATH of trainings.\n"
          + "echo '<?xml version=\"1.0\" ?><nvidia_smi_log></nvidia_smi_log>'\n";

  private NvidiaSmiStandIn() {}

  static Path folder(Path home) {
    return home.resolve("stand-ins");
  }

  /** Writes the programs. */
  static void write(Path home) throws IOException {
    Path folder = Files.createDirectories(folder(home));
    Path draft = folder.resolve("nvidia-smi.tmp");
    Files.writeString(draft, NVIDIA_SMI);
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
    AtomicFile.replace(draft, folder.resolve("nvidia-smi"));
  }
}
