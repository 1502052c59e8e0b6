package io.remuda.coordinator.architecture;

import static io.remuda.coordinator.architecture.ProductionClasses.ALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.junit.jupiter.api.Test;

/**
 * Messages and actors are made of data: a closure or a future in them would run on another thread,
 * and no test could compare it.
 */
class ActorMessagesTest {

  @Test
  void no_command_carries_code_or_a_future() {
    List<JavaClass> commands =
        ALL.stream()
            .filter(type -> type.getAllRawInterfaces().stream().anyMatch(this::isProtocol))
            .toList();
    assertFalse(commands.isEmpty());
    assertEquals(
        List.of(), commands.stream().flatMap(command -> faults(command, fields(command))).toList());
  }

  private boolean isProtocol(JavaClass type) {
    return type.getSimpleName().endsWith("Command") && isOfServerOrAgent(type);
  }

  private static boolean isOfServerOrAgent(JavaClass type) {
    return type.getPackageName().startsWith("io.remuda.coordinator")
        || type.getPackageName().startsWith("io.remuda.agent");
  }

  @Test
  void no_actor_is_created_with_code_or_a_future() {
    List<JavaClass> actors =
        ALL.stream()
            .filter(ActorMessagesTest::isOfServerOrAgent)
            .filter(ActorMessagesTest::isActor)
            .toList();
    assertFalse(actors.isEmpty());
    assertEquals(
        List.of(),
        actors.stream()
            .flatMap(
                actor ->
                    actor.getConstructors().stream()
                        .flatMap(made -> faults(actor, made.getRawParameterTypes())))
            .toList());
  }

  private static boolean isActor(JavaClass type) {
    return type.isAssignableTo(AbstractBehavior.class)
        || type.getConstructors().stream()
            .flatMap(made -> made.getRawParameterTypes().stream())
            .anyMatch(parameter -> parameter.isEquivalentTo(ActorContext.class));
  }

  private static Stream<String> faults(JavaClass owner, List<JavaClass> types) {
    List<String> faults = new ArrayList<>();
    look(owner.getSimpleName(), types, new HashSet<>(), faults);
    return faults.stream();
  }

  /** Looks at types, and at the components of those that are records of this project. */
  private static void look(
      String path, List<JavaClass> types, Set<JavaClass> seen, List<String> faults) {
    for (JavaClass type : types) {
      String here = path + " > " + type.getSimpleName();
      if (isCode(type)) {
        faults.add(here);
      } else if (type.isRecord()
          && type.getPackageName().startsWith("io.remuda")
          && seen.add(type)) {
        look(here, fields(type), seen, faults);
      }
    }
  }

  private static List<JavaClass> fields(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .map(field -> field.getRawType())
        .toList();
  }

  /** A clock is a value to its owner. */
  private static boolean isCode(JavaClass type) {
    boolean function =
        type.getPackageName().equals("java.util.function")
            && !type.isEquivalentTo(LongSupplier.class);
    return function
        || type.isEquivalentTo(Runnable.class)
        || type.isAssignableTo(Callable.class)
        || type.isAssignableTo(Future.class)
        || type.isAssignableTo(CompletionStage.class);
  }
}
