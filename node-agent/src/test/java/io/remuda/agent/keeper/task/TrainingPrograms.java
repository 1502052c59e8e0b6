package io.remuda.agent.keeper.task;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs that save when they are asked, and cannot once one of their loaders has died. */
final class TrainingPrograms {

  static final String PYTHON = "/usr/bin/python3";

  /** Two loaders, as PyTorch's DataLoader has them; it needs nothing but Python. */
  private static final String PLAIN =
      """
      import multiprocessing, os, signal, sys, time
      asked = None
      def ask(number, frame):
          global asked
          asked = number
      def gone(number, frame):  # as PyTorch does
          raise RuntimeError("a loader process was killed")
      def load(queue):
          for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD):
              signal.signal(number, signal.SIG_DFL)
          while True:
              time.sleep(0.05)
              queue.put(1)
      if __name__ == "__main__":
          queue = multiprocessing.Queue(4)
          for _ in range(2):
              multiprocessing.Process(target=load, args=(queue,), daemon=True).start()
          for number in (signal.SIGTERM, signal.SIGUSR1):
              signal.signal(number, ask)
          signal.signal(signal.SIGCHLD, gone)
          open("ready", "w").close()
          while True:
              for _ in range(10):  # a step
                  queue.get()
              print("a step", flush=True)
              if asked:
                  signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                  print("saving", flush=True)
                  open("saved", "w").write(str(asked))
                  sys.exit(0)
      """;

  private static final String TORCH =
      """
      import os, signal, sys, time, torch
      from torch.utils.data import DataLoader, Dataset
      class Numbers(Dataset):
          def __len__(self):
              return 10_000_000
          def __getitem__(self, index):
              time.sleep(0.01)
              return torch.tensor(float(index))
      asked = None
      def ask(number, frame):
          global asked
          asked = number
      def main():
          rank = os.environ.get("RANK", "")
          for number in (signal.SIGTERM, signal.SIGUSR1):
              signal.signal(number, ask)
          for step, batch in enumerate(DataLoader(Numbers(), batch_size=8, num_workers=2)):
              if step == 0:
                  open("ready" + rank, "w").close()
              if asked:
                  torch.save(batch, "checkpoint" + rank)
                  open("saved" + rank, "w").write(str(asked))
                  sys.exit(0)
      if __name__ == "__main__":
          main()
      """;

  /** As {@code conda run} does it: it passes SIGTERM on to its child, a script, and ends. */
  private static final String WRAPPER =
      """
      import os, signal, subprocess, sys
      script = "run.sh"
      open(script, "w").write(" ".join(sys.argv[1:]) + "\\n:\\n")
      child = subprocess.Popen(["bash", script])
      def forward(number, frame):
          child.send_signal(number)
          sys.exit(128 + number)
      signal.signal(signal.SIGTERM, forward)
      sys.exit(child.wait())
      """;

  private TrainingPrograms() {}

  /** Writes all programs into a folder. */
  static void write(Path folder) throws IOException {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "no " + PYTHON);
    Files.writeString(folder.resolve("train.py"), PLAIN);
    Files.writeString(folder.resolve("torch_train.py"), TORCH);
    Files.writeString(folder.resolve("wrapper.py"), WRAPPER);
    Files.writeString(folder.resolve("train.sh"), "set -e\n" + PYTHON + " train.py\ntouch next\n");
  }

  /** Skips the test where PyTorch is not installed, which the checks do not want for its size. */
  static void assumeTorch() throws Exception {
    boolean there =
        Files.isExecutable(Path.of(PYTHON))
            && new ProcessBuilder(PYTHON, "-c", "import torch.distributed").start().waitFor() == 0;
    assumeTrue(there, "PyTorch is not installed: Debian's python3-torch");
  }
}
