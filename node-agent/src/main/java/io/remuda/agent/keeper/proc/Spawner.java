package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import java.io.File;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts processes by posix_spawn: in a session of their own, with default signals and an empty
 * mask, and no descriptors of this process except the task's streams and device locks.
 *
 * <p>One thread at a time: a start changes the umask and, with an old C library, the working folder
 * of this process for a moment. What may wait for a disk must be done before.
 */
public final class Spawner {
  /** Larger than glibc's structures on any machine. */
  private static final int ACTIONS_BYTES = 256;

  private static final int ATTRIBUTES_BYTES = 512;
  private static final int SIGNAL_SET_BYTES = 128;
  private static final int FIRST_FREE_FD = 3;

  private static final int MOST_KNOWN = 32;

  private final String keeperMark;

  /** The same for all processes. */
  private final Memory attributes = new Memory(ATTRIBUTES_BYTES);

  /** The umask of this process; negative before it is known. */
  private int ownUmask = -1;

  /** The C strings of the newest templates. */
  private final Map<SpawnTemplate, SpawnStrings> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SpawnTemplate, SpawnStrings> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  /**
   * @param keeperMark value of {@link TaskMark#KEEPER} in the environment of the processes
   */
  public Spawner(String keeperMark) {
    this.keeperMark = keeperMark;
    Posix.posix_spawnattr_init(attributes);
    setSignalsAndSession(attributes);
  }

  SpawnedProcess spawn(SpawnRequest request) throws SpawnFailureException {
    try (StandardStreamFiles outputs = StandardStreamFiles.open(request)) {
      return spawn(request, ProgramLookup.locate(request), outputs, List.of());
    }
  }

  /**
   * Starts the request.
   *
   * @param program as {@link ProgramLookup} has found it
   * @param inherited descriptors that the child keeps open, as 3, 4, …; each above 100 here
   */
  public SpawnedProcess spawn(
      SpawnRequest request, String program, StandardStreamFiles outputs, List<Integer> inherited)
      throws SpawnFailureException {
    SpawnStrings common = known.computeIfAbsent(request.template(), SpawnStrings::new);
    try (Memory envp = common.with(request.variables(), marks(request));
        Memory actions = new Memory(ACTIONS_BYTES)) {
      Posix.posix_spawn_file_actions_init(actions);
      try {
        addFiles(actions, outputs, inherited);
        return start(request, program, actions, common.argv(), envp);
      } finally {
        Reference.reachabilityFence(common); // envp has addresses of its strings
        Posix.posix_spawn_file_actions_destroy(actions);
      }
    }
  }

  private List<String> marks(SpawnRequest request) {
    return List.of(
        TaskMark.KEY.concat("=").concat(request.key()),
        TaskMark.KEEPER.concat("=").concat(keeperMark));
  }

  private static void setSignalsAndSession(Pointer attributes) {
    try (Memory signals = new Memory(SIGNAL_SET_BYTES)) {
      // All 64: sigfillset omits the two of the C library, which would then stay ignored.
      signals.setMemory(0, SIGNAL_SET_BYTES, (byte) 0xff);
      Posix.posix_spawnattr_setsigdefault(attributes, signals);
      Posix.sigemptyset(signals);
      Posix.posix_spawnattr_setsigmask(attributes, signals);
    }
    Posix.posix_spawnattr_setflags(
        attributes,
        (short)
            (Posix.POSIX_SPAWN_SETSIGDEF
                | Posix.POSIX_SPAWN_SETSIGMASK
                | Posix.POSIX_SPAWN_SETSID));
  }

  private static void addFiles(
      Pointer actions, StandardStreamFiles outputs, List<Integer> inherited) {
    addStreams(actions, outputs);
    int next = FIRST_FREE_FD; // the outputs may have had these numbers; they are 1 and 2 now
    for (int fd : inherited) {
      Posix.posix_spawn_file_actions_adddup2(actions, fd, next++);
    }
    if (!Posix.addCloseFrom(actions, next)) {
      closeAllOnExec();
    }
  }

  private static void addStreams(Pointer actions, StandardStreamFiles files) {
    String terminal = files.terminal();
    if (terminal != null) { // a new session that opens one is controlled by it
      Posix.posix_spawn_file_actions_addopen(actions, 0, CStrings.of(terminal), Posix.O_RDWR, 0);
      Posix.posix_spawn_file_actions_adddup2(actions, 0, 1);
      Posix.posix_spawn_file_actions_adddup2(actions, 0, 2);
      return;
    }
    if (files.stdin() < 0) {
      Posix.posix_spawn_file_actions_addopen(
          actions, 0, CStrings.of("/dev/null"), Posix.O_RDONLY, 0);
    } else {
      Posix.posix_spawn_file_actions_adddup2(actions, files.stdin(), 0);
    }
    Posix.posix_spawn_file_actions_adddup2(actions, files.stdout(), 1);
    Posix.posix_spawn_file_actions_adddup2(actions, files.stderr(), 2);
  }

  private SpawnedProcess start(
      SpawnRequest request, String program, Pointer actions, Pointer argv, Pointer envp)
      throws SpawnFailureException {
    byte[] folder = CStrings.of(request.workingFolder());
    boolean byChild = Posix.addChdir(actions, folder);
    if (!byChild && Posix.chdir(folder) != 0) {
      throw SpawnDiagnosis.of(request, program, Posix.errno());
    }
    byte[] pidBytes = new byte[4];
    int umask = request.template().umask();
    boolean changes = umask != SpawnRequest.OWN_UMASK && umask != ownUmask;
    if (changes) {
      ownUmask = Posix.umask(umask); // the child inherits it
    }
    int error = Posix.posix_spawn(pidBytes, CStrings.of(program), actions, attributes, argv, envp);
    if (changes) {
      Posix.umask(ownUmask);
    }
    if (!byChild) {
      Posix.chdir(CStrings.of("/"));
    }
    if (error != 0) {
      throw SpawnDiagnosis.of(request, program, error);
    }
    int pid = ByteBuffer.wrap(pidBytes).order(ByteOrder.nativeOrder()).getInt();
    ProcStat stat = ProcFiles.stat(pid);
    return new SpawnedProcess(pid, stat == null ? 0 : stat.startTicks());
  }

  /** Replaces addclosefrom_np; what another thread opens right now may still be inherited. */
  private static void closeAllOnExec() {
    String[] open = new File("/proc/self/fd").list();
    for (int i = 0; open != null && i < open.length; i++) {
      int fd = Integer.parseInt(open[i]);
      if (fd > 2) {
        Posix.fcntl(fd, Posix.F_SETFD, Posix.FD_CLOEXEC);
      }
    }
  }
}
