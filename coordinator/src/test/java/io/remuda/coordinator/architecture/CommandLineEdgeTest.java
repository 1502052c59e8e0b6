package io.remuda.coordinator.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.remuda.coordinator.architecture.ProductionClasses.ALL;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import io.remuda.agent.settings.ProcessArgumentsAndEnvironment;
import io.remuda.agent.settings.RemudaPaths;
import java.io.FileDescriptor;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A command knows its surroundings only from its caller, so that it runs in any program: the
 * process, its environment and its streams are for io.remuda.agent.commandline.OwnProcess alone.
 */
class CommandLineEdgeTest {
  /** Members by the class that has them; empty for all. */
  private static final Map<Class<?>, Set<String>> OF_THE_PROCESS =
      Map.of(
          System.class,
          Set.of("in", "out", "err", "getenv", "exit", "console", "setIn", "setOut", "setErr"),
          Runtime.class,
          Set.of("halt", "exit", "addShutdownHook", "removeShutdownHook"),
          FileDescriptor.class,
          Set.of("in", "out", "err"),
          RemudaPaths.class,
          Set.of("current"),
          ProcessArgumentsAndEnvironment.class,
          Set.of());

  private static final DescribedPredicate<JavaAccess<?>> TOUCHES_THE_PROCESS =
      new DescribedPredicate<>("what belongs to the process") {
        @Override
        public boolean test(JavaAccess<?> access) {
          return OF_THE_PROCESS.entrySet().stream()
              .anyMatch(
                  one ->
                      access.getTargetOwner().isEquivalentTo(one.getKey())
                          && (one.getValue().isEmpty()
                              || one.getValue().contains(access.getTarget().getName())));
        }
      };

  private static final DescribedPredicate<JavaClass> HANDLES_SIGNALS =
      JavaClass.Predicates.resideInAPackage("sun.misc..");

  @Test
  void no_command_touches_the_process_that_it_runs_in() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.remuda.coordinator.cli..",
            "io.remuda.coordinator.console..",
            "io.remuda.coordinator.client..",
            "io.remuda.coordinator.doctor..",
            "io.remuda.coordinator.ensemble..")
        .should()
        .accessTargetWhere(TOUCHES_THE_PROCESS)
        .orShould()
        .dependOnClassesThat(HANDLES_SIGNALS)
        .check(ALL);
  }
}
