package io.remuda.coordinator.cli.freeze;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.freeze.TreeArchive;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps the working tree of a job in the server's folder, once for equal trees. */
public final class WorkingTreeFreezer {

  /** Field of a request, before it is sent, that asks for this. */
  public static final String FREEZE = "freeze";

  private static final String LOCK = "serve.lock";

  private final Caller caller;
  private final Path home;
  private final Clock clock;

  /**
   * @param caller whose state folder is that of the server
   */
  public WorkingTreeFreezer(Caller caller, Clock clock) {
    this.caller = caller;
    this.home = caller.paths().state();
    this.clock = clock;
  }

  /**
   * Returns a request with the tree of its working folder, if it asks for that.
   *
   * @param keep whether the tree is kept; else it is only looked at
   * @throws WorkingTreeFreezeException if it is too large, or the server is elsewhere
   */
  public Map<String, Object> frozen(Map<String, Object> request, boolean keep)
      throws IOException, WorkingTreeFreezeException {
    if (!request.containsKey(FREEZE)) {
      return request;
    }
    Map<String, Object> whole = new LinkedHashMap<>(request);
    whole.remove(FREEZE);
    if (!Files.exists(home.resolve(LOCK))) {
      throw new WorkingTreeFreezeException(
          "--freeze keeps the tree in the folder of the server, and "
              + home
              + " is not that: submit on its machine as the user who runs it, or where that folder"
              + " is shared");
    }
    Path workdir = Path.of((String) request.get("workdir"));
    WorkingTree tree = WorkingTree.of(workdir, caller);
    if (keep) {
      String hash = keep(tree);
      Path below = tree.root().relativize(workdir.toRealPath());
      whole.put("workdir", tree.root().resolve(below).normalize().toString());
      whole.put("frozenTree", hash);
      whole.put("frozenRoot", tree.root().toString());
      whole.put("frozenArchive", file(hash).toString());
    }
    return whole;
  }

  private Path file(String hash) {
    return home.toAbsolutePath().resolve(TreeArchive.FOLDER).resolve(hash + TreeArchive.ENDING);
  }

  private String keep(WorkingTree tree) throws IOException {
    Path folder = home.resolve(TreeArchive.FOLDER);
    FolderOwnershipCheck.create(folder);
    Path draft = Files.createTempFile(folder, "draft", ".tmp");
    try {
      String hash = TreeArchive.write(tree.root(), tree.entries(), draft);
      Path file = file(hash);
      if (Files.exists(file)) { // the server removes what was not needed for long
        Files.setLastModifiedTime(file, FileTime.fromMillis(clock.millis()));
      } else {
        AtomicFile.replace(draft, file);
      }
      return hash;
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
