package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cluster.ClusterFile;
import io.remuda.coordinator.doctor.NetworkFileSystems;
import io.remuda.coordinator.service.RunningJobServer;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine;

/**
 * Runs a job service until it is ended. A member that its cluster has removed, or that has handed
 * over, is started again in this process and joins again. {@link #end} may be called by any thread.
 */
final class JobServiceRunner {

  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 8000;

  /** A member that was in its cluster for so long begins with the first pause again. */
  private static final long LONG_MILLIS = 60_000;

  private final RunningJobServer.Request request;
  private final Optional<Duration> idle;
  private final boolean detached;
  private final CommandLine command;
  private final PrintWriter out;
  private final PrintWriter err;
  private RunningJobServer service;
  private RunningJobServer last; // that was started; of the thread that serves
  private boolean ended;

  /**
   * @param idle how long it may be without a job; empty for ever
   * @param detached whether a process waits until the first start is done
   */
  JobServiceRunner(
      RunningJobServer.Request request,
      Optional<Duration> idle,
      boolean detached,
      CommandLine command) {
    this.request = request;
    this.idle = idle;
    this.detached = detached;
    this.command = command;
    this.out = command.getOut();
    this.err = command.getErr();
  }

  /** Ends the service; its tasks continue. */
  synchronized void end() {
    ended = true;
    notifyAll();
    if (service != null) {
      service.end(RunningJobServer.End.TASKS_RUN_ON);
    }
  }

  private synchronized boolean begin(RunningJobServer started) {
    service = started;
    return !ended;
  }

  /** Returns the exit code of the command. */
  int run()
      throws IOException, GeneralSecurityException, StoreDamagedException, InterruptedException {
    last = RunningJobServer.start(request);
    if (request.allocation().isEmpty()) { // whose nodes must see it
      NetworkFileSystems.warningOf(request.home()).ifPresent(this::say);
    }
    RunningJobServer.End how = serve(last);
    long pause = FIRST_PAUSE_MILLIS;
    while (isMember()
        && (how == RunningJobServer.End.REJOIN || how == RunningJobServer.End.FAULT)) {
      begin(null);
      say(
          how == RunningJobServer.End.REJOIN
              ? "this coordinator has left its cluster and joins again"
              : "this coordinator was removed from its cluster, or has failed: it joins again");
      long began = System.nanoTime();
      if (how == RunningJobServer.End.FAULT && isOverAfter(pause)) {
        last.endLeftAgent(); // nobody joins again
        return 0;
      }
      how = again();
      boolean lasted = (System.nanoTime() - began) / 1_000_000 > LONG_MILLIS;
      pause = lasted ? FIRST_PAUSE_MILLIS : Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
    }
    if (how == RunningJobServer.End.FAULT) {
      say("the server has failed; its tasks run on");
      return 1;
    }
    return 0;
  }

  private boolean isMember() {
    return request.member().isPresent();
  }

  /** Waits, and returns whether the service is to end meanwhile. */
  private synchronized boolean isOverAfter(long millis) throws InterruptedException {
    if (!ended) {
      wait(millis);
    }
    return ended;
  }

  /** Starts the member again; what prevents that may pass, such as a port that is still in use. */
  private RunningJobServer.End again()
      throws GeneralSecurityException, StoreDamagedException, InterruptedException {
    try {
      last = RunningJobServer.start(request);
      return serve(last);
    } catch (IOException | RuntimeException fault) { // such as a port that was taken just now
      say("it cannot join now: " + fault.getMessage());
      return RunningJobServer.End.FAULT;
    }
  }

  private RunningJobServer.End serve(RunningJobServer started)
      throws IOException, InterruptedException {
    if (!begin(started)) {
      started.end(RunningJobServer.End.TASKS_RUN_ON);
    }
    started.notes().forEach(this::say);
    tell(started.access());
    if (idle.isPresent()) {
      StateFolderTakeover.mark(request.home());
      started.endWhenIdle(idle.get());
    }
    return await(started);
  }

  /** Waits for the end; an interrupt of this thread is an order to end. */
  private static RunningJobServer.End await(RunningJobServer started)
      throws IOException, InterruptedException {
    try {
      return started.await();
    } catch (InterruptedException ordered) {
      started.end(RunningJobServer.End.TASKS_RUN_ON);
      RunningJobServer.End how = started.await();
      Thread.currentThread().interrupt();
      return how;
    }
  }

  private void tell(ServerAccessFile access) {
    out.println("serving at " + access.rest() + ", jobs run as " + access.user());
    String join =
        request.home().resolve(ServerAccessFile.FILE) + " (agents dial " + access.contacts().get(0);
    if (isMember()) {
      ClusterFile.Member self = request.member().get().self();
      out.println(
          "as "
              + self.name()
              + " of "
              + request.member().get().cluster().members().size()
              + " coordinators: remuda cluster shows them; on other machines: remuda agent --join "
              + join
              + " and the others)");
    } else {
      out.println(
          request.listen().getAddress().isLoopbackAddress() && request.allocation().isEmpty()
              ? "for this machine alone; with --listen ADDRESS other machines can join"
              : "on other machines: remuda agent --join " + join + ")");
    }
    out.flush();
    if (detached) {
      say("serving at " + access.rest() + ", jobs run as " + access.user());
      BackgroundOptions.reportReady(Caller.of(command.getCommandSpec()));
    }
  }

  private void say(String line) {
    err.println("remuda: " + line);
    err.flush();
  }
}
