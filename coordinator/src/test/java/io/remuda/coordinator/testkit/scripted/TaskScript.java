package io.remuda.coordinator.testkit.scripted;

import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnAnswer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a test has said of tasks before they do it, by task or attempt. */
final class TaskScript {

  static final int KILL = 9;

  private final Map<String, Set<Integer>> ignored = new HashMap<>();
  private final Map<String, Integer> exitCodes = new HashMap<>();
  private final Map<String, SpawnAnswer.Refused> refusals = new HashMap<>();

  void ignores(String task, int... signals) {
    Set<Integer> all = ignored.computeIfAbsent(task, one -> new HashSet<>());
    for (int signal : signals) {
      all.add(signal);
    }
  }

  void exitsWhenTold(String task, int code) {
    exitCodes.put(task, code);
  }

  void refuses(String task, SpawnAnswer.Refused answer) {
    refusals.put(task, answer);
  }

  /** Returns how a task ends by a signal; empty if it goes on. */
  Optional<ExitStatus> effect(String key, int signal) {
    Set<Integer> spared = saidOf(ignored, key);
    Integer code = saidOf(exitCodes, key);
    if (signal != KILL && spared != null && spared.contains(signal)) {
      return Optional.empty();
    }
    boolean exits = code != null && signal != KILL;
    return Optional.of(exits ? new ExitStatus.Code(code) : new ExitStatus.Signal(signal, false));
  }

  /** Returns why the next start of a task is refused, once. */
  Optional<SpawnAnswer.Refused> takeRefusal(String key) {
    SpawnAnswer.Refused refused = saidOf(refusals, key);
    refusals.values().remove(refused);
    return Optional.ofNullable(refused);
  }

  private static <T> T saidOf(Map<String, T> said, String key) {
    String attempt = attemptOf(key);
    T own = said.get(attempt);
    return own != null ? own : said.get(attempt.substring(0, attempt.lastIndexOf('.')));
  }

  /** Returns the attempt that a key names, without its tag. */
  static String attemptOf(String key) {
    String attempt = key.substring(key.lastIndexOf('/') + 1);
    int tag = attempt.indexOf('-');
    return tag < 0 ? attempt : attempt.substring(0, tag);
  }

  /** Returns an order as text. */
  static String order(String what, String key, Object... more) {
    StringBuilder text = new StringBuilder(what).append(' ').append(attemptOf(key));
    for (Object one : more) {
      text.append(' ').append(one);
    }
    return text.toString();
  }
}
