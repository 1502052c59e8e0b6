package io.remuda.coordinator.testkit.scripted;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An attempt of a task, or a program that holds devices, at a {@link ScriptedKeeper}. What was
 * ordered stays to be looked at after its end. Any thread.
 */
public final class ScriptedTask {

  /** Above the largest that Linux gives: no process is ever found under such a number. */
  private static final AtomicInteger LAST_PID = new AtomicInteger(1_000_000_000);

  private static final int MILLION = 1_000_000;

  private final String key;
  private final SpawnRequest request; // null for a program that holds devices
  private final Path folder;
  private final List<String> devices;
  private final long pid;
  private final long startTicks;
  private final long bornNanos;
  private final List<Integer> signals = new ArrayList<>();
  private long contactMillis;
  private long contactEndsNanos;
  private boolean isToEnd;
  private ExitRecord exit;

  private ScriptedTask(
      String key,
      SpawnRequest request,
      Path folder,
      List<String> devices,
      long pid,
      long startTicks,
      long nanos) {
    this.key = key;
    this.request = request;
    this.folder = folder;
    this.devices = devices;
    this.pid = pid;
    this.startTicks = startTicks;
    this.bornNanos = nanos;
  }

  /** Starts a task: makes the files of its output. */
  static ScriptedTask of(SpawnRequest request, long nanos) throws IOException {
    create(request.stdout());
    create(request.stderr());
    ScriptedTask task =
        new ScriptedTask(
            request.key(),
            request,
            request.taskFolder(),
            request.deviceLocks(),
            LAST_PID.incrementAndGet(),
            1,
            nanos);
    task.renew(request.contactMillis(), nanos);
    return task;
  }

  static ScriptedTask of(DeviceHoldRequest request, long nanos) {
    return new ScriptedTask(
        request.key(),
        null,
        request.taskFolder(),
        request.deviceLocks(),
        request.pid(),
        request.startTicks(),
        nanos);
  }

  private static void create(Path file) throws IOException {
    if (!Files.exists(file)) { // or it is a link to a file of the user
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    }
  }

  /** Returns the key by which the agent names it: cluster, node and attempt. */
  public String key() {
    return key;
  }

  /** Returns its attempt, such as {@code 12.0.1}. */
  public String attempt() {
    return TaskScript.attemptOf(key);
  }

  /** Returns whether a name means it: {@code 12.0} its task, {@code 12.0.1} this attempt. */
  boolean is(String name) {
    return attempt().equals(name) || attempt().startsWith(name + ".") && isTask(name);
  }

  static boolean isTask(String name) {
    return name.chars().filter(c -> c == '.').count() == 1;
  }

  /** Returns the program and its arguments. */
  public List<String> argv() {
    return request.argv();
  }

  /** Returns all variables of its environment but those that a keeper adds. */
  public Map<String, String> environment() {
    return request.environment();
  }

  /** Returns the folder in which it was to start. */
  public String workingFolder() {
    return request.workingFolder();
  }

  /** Returns the whole request. */
  public SpawnRequest request() {
    return request;
  }

  /** Returns the UUIDs of the devices that are locked for it until its end. */
  public List<String> devices() {
    return devices;
  }

  /** Returns the numbers of the signals that it got, in order. */
  public synchronized List<Integer> signals() {
    return List.copyOf(signals);
  }

  /** Returns its contact deadline as it was last set; zero for none. */
  public synchronized Duration contact() {
    return Duration.ofMillis(contactMillis);
  }

  public synchronized boolean isRunning() {
    return exit == null;
  }

  /** Appends to its stdout. */
  public void prints(String text) {
    print(request.stdout(), text);
  }

  /** Appends to its stderr. */
  public void printsError(String text) {
    print(request.stderr(), text);
  }

  private static void print(Path file, String text) {
    try {
      Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  long graceMillis(long most) {
    return request == null ? most : Math.min(most, request.graceMillis());
  }

  long slot() {
    return request == null ? 0 : request.slot();
  }

  synchronized void toEnd() {
    isToEnd = true;
  }

  synchronized void gets(int signal) {
    signals.add(signal);
  }

  synchronized void renew(long millis, long nanos) {
    contactMillis = millis;
    contactEndsNanos = nanos + millis * MILLION;
  }

  /** Returns the time to its contact deadline; null without one. */
  synchronized Duration contactLeft(long nanos) {
    return contactMillis == 0 || exit != null || request == null
        ? null
        : Duration.ofNanos(contactEndsNanos - nanos);
  }

  /** Writes its exit record. */
  synchronized void ended(ExitStatus status, boolean contactLost, long nanos) {
    exit =
        new ExitRecord(
            key,
            pid,
            startTicks,
            status,
            (nanos - bornNanos) / MILLION,
            0,
            0,
            0,
            contactLost,
            isToEnd && !contactLost,
            0);
    try {
      ExitFile.write(folder, exit);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  long pid() {
    return pid;
  }

  long startTicks() {
    return startTicks;
  }

  synchronized TaskView view() {
    TaskView.State living = isToEnd ? TaskView.State.ENDING : TaskView.State.RUNNING;
    return new TaskView(key, pid, startTicks, exit == null ? living : TaskView.State.EXITED, exit);
  }

  @Override
  public String toString() {
    return attempt() + (isRunning() ? "" : " (ended)");
  }
}
