package io.remuda.coordinator.architecture;

import static io.remuda.coordinator.architecture.ProductionClasses.ALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnitReference;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.junit.jupiter.api.Test;

/**
 * The agent's actors on the default dispatcher reach no call that waits for a disk, a process or
 * another thread: while a disk hangs, heartbeats and contact deadlines go on. Actors that block
 * name their dispatcher in a field of type {@link Props}.
 */
class BlockingCallsTest {

  /** Classes of which the lambdas and method references run on a thread of their own. */
  private static final Set<String> HAND_OVER =
      Set.of(
          "io.remuda.agent.actor.NodeFileOperations",
          "io.remuda.agent.attempt.TaskNotes",
          "io.remuda.agent.freeze.FrozenTreeCopier",
          "io.remuda.agent.gpu.GpuMeter",
          "io.remuda.agent.metric.ReportedMetrics");

  /** Readers of the kernel's own files, which are on no disk. */
  private static final Set<String> OF_THE_KERNEL =
      Set.of("io.remuda.agent.keeper.proc.ProcFiles", "io.remuda.agent.keeper.proc.PidScope");

  /** Classes of which each method may wait; those of java.io.File that only compute may not. */
  private static final Set<String> BLOCKING =
      Set.of(
          "java.nio.file.Files",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.io.FileReader",
          "java.io.FileWriter",
          "java.io.RandomAccessFile",
          "java.nio.channels.FileChannel",
          "java.nio.channels.SocketChannel",
          "java.net.Socket",
          "java.lang.Process",
          "java.lang.ProcessBuilder");

  private static final Set<String> WAITING =
      Set.of(
          "java.lang.Thread.sleep",
          "java.lang.Thread.join",
          "java.lang.Object.wait",
          "java.util.concurrent.Future.get",
          "java.util.concurrent.CompletableFuture.get",
          "java.util.concurrent.CompletableFuture.join",
          "java.util.concurrent.CountDownLatch.await",
          "java.util.concurrent.BlockingQueue.take");

  private static final Set<String> PURE_OF_FILE =
      Set.of("getName", "getPath", "toString", "toPath", "getParent", "equals", "hashCode");

  private final Map<JavaCodeUnit, JavaCodeUnit> reachedFrom = new LinkedHashMap<>();
  private final Deque<JavaCodeUnit> open = new ArrayDeque<>();
  private final List<String> faults = new ArrayList<>();

  @Test
  void an_actor_of_the_agent_on_the_default_dispatcher_does_not_block() {
    List<JavaClass> actors =
        ALL.stream()
            .filter(type -> type.getPackageName().startsWith("io.remuda.agent"))
            .filter(type -> type.isAssignableTo(AbstractBehavior.class) && !hasDispatcher(type))
            .toList();
    assertFalse(actors.isEmpty());
    actors.forEach(actor -> actor.getCodeUnits().forEach(unit -> reach(unit, unit)));
    while (!open.isEmpty()) {
      follow(open.remove());
    }
    assertEquals(List.of(), faults.stream().sorted().toList(), () -> String.join("\n", faults));
  }

  private static boolean hasDispatcher(JavaClass type) {
    return type.getFields().stream()
        .anyMatch(
            field ->
                field.getModifiers().contains(JavaModifier.STATIC)
                    && field.getRawType().isEquivalentTo(Props.class));
  }

  private void reach(JavaCodeUnit unit, JavaCodeUnit from) {
    JavaClass outermost = unit.getOwner();
    while (outermost.getEnclosingClass().isPresent()) {
      outermost = outermost.getEnclosingClass().get();
    }
    boolean ours = outermost.getPackageName().startsWith("io.remuda");
    if (ours
        && !hasDispatcher(outermost)
        && !OF_THE_KERNEL.contains(outermost.getName())
        && reachedFrom.putIfAbsent(unit, from) == null) {
      open.add(unit);
    }
  }

  private void follow(JavaCodeUnit unit) {
    Stream.of(
            unit.getCallsFromSelf(),
            unit.getMethodReferencesFromSelf(),
            unit.getConstructorReferencesFromSelf())
        .flatMap(Set::stream)
        .map(access -> (JavaCodeUnitAccess<?>) access)
        .filter(access -> !isHandedOver(access))
        .forEach(access -> follow(unit, access.getTarget()));
  }

  private static boolean isHandedOver(JavaCodeUnitAccess<?> access) {
    boolean later = access.isDeclaredInLambda() || access instanceof JavaCodeUnitReference;
    return later && HAND_OVER.contains(access.getOriginOwner().getName());
  }

  private void follow(JavaCodeUnit unit, CodeUnitAccessTarget target) {
    if (mayWait(target)) {
      faults.add(target.getOwner().getSimpleName() + "." + target.getName() + path(unit));
      return;
    }
    target.resolveMember().ifPresent(member -> reach((JavaCodeUnit) member, unit));
    if (target.getOwner().getPackageName().startsWith("io.remuda")) {
      List<String> parameters = names(target.getRawParameterTypes());
      for (JavaClass sub : target.getOwner().getAllSubclasses()) {
        sub.getCodeUnits().stream()
            .filter(own -> own.getName().equals(target.getName()))
            .filter(own -> names(own.getRawParameterTypes()).equals(parameters))
            .forEach(own -> reach(own, unit));
      }
    }
  }

  private static List<String> names(List<JavaClass> types) {
    return types.stream().map(JavaClass::getName).toList();
  }

  private static boolean mayWait(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getName();
    return BLOCKING.contains(owner)
        || WAITING.contains(owner + "." + target.getName())
        || (owner.equals("java.io.File")
            && !target.getName().equals("<init>")
            && !PURE_OF_FILE.contains(target.getName()));
  }

  /** Returns the calls by which an actor comes here, the last one first. */
  private String path(JavaCodeUnit unit) {
    StringBuilder path = new StringBuilder();
    JavaCodeUnit at = unit;
    while (at != null) {
      path.append(" < ").append(at.getOwner().getSimpleName()).append('.').append(at.getName());
      JavaMember before = reachedFrom.get(at);
      at = before == at ? null : (JavaCodeUnit) before;
    }
    return path.toString();
  }
}
