import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test classes whose names it reads, one a line, and tells of each by lines that begin with
 * {@code ##check}; all other output is that of the tests. The last two numbers of a class are its
 * seconds and those of the processor. Arguments: tags to leave out.
 */
final class TestRunner {
  private static final String MARK = "##check ";

  public static void main(String[] excluded) throws Exception {
    PrintStream told = System.out;
    System.setOut(System.err);
    Launcher launcher = LauncherFactory.create();
    BufferedReader names =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String name = names.readLine(); name != null; name = names.readLine()) {
      Count count = new Count(told);
      long start = System.nanoTime();
      double worked = processorSeconds();
      try {
        launcher.execute(request(name, excluded), count);
      } catch (Throwable broken) { // by whatever: the class has failed, and the next is run
        count.failure(name, broken);
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      told.println();
      told.printf(
          (java.util.Locale) null,
          MARK + "end %s %d %d %d %.3f %.2f%n",
          name,
          count.tests,
          count.failed,
          count.skipped,
          seconds,
          processorSeconds() - worked);
      told.flush();
    }
    System.exit(0); // threads of the tests may be left
  }

  /** Of this process and of those below it that have ended; 0 where Linux does not say. */
  private static double processorSeconds() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long ticks = 0;
      for (int field = 11; field <= 14; field++) { // utime, stime, cutime, cstime
        ticks += Long.parseLong(words[field]);
      }
      return ticks / 100.0;
    } catch (IOException | RuntimeException unknown) {
      return 0;
    }
  }

  private static LauncherDiscoveryRequest request(String name, String[] excluded)
      throws ClassNotFoundException {
    Class<?> type = Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(type));
    if (excluded.length > 0) {
      request.filters(TagFilter.excludeTags(excluded));
    }
    return request.build();
  }

  /** Counts as surefire does: a container that fails is one test, one that is skipped also. */
  private static final class Count implements TestExecutionListener {
    private final PrintStream told;
    private TestPlan plan;
    private int tests;
    private int failed;
    private int skipped;

    Count(PrintStream told) {
      this.told = told;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
      plan = started;
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
      List<TestIdentifier> below = new ArrayList<>(plan.getDescendants(test));
      below.removeIf(each -> !each.isTest());
      int count = Math.max(1, below.size());
      tests += count;
      skipped += count;
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
      TestExecutionResult.Status status = result.getStatus();
      if (!test.isTest() && status == TestExecutionResult.Status.SUCCESSFUL) {
        return;
      }
      if (status == TestExecutionResult.Status.FAILED) {
        failure(name(test), result.getThrowable().orElse(null));
        return;
      }
      tests++;
      if (status == TestExecutionResult.Status.ABORTED) {
        skipped++;
      }
    }

    private static String name(TestIdentifier test) {
      Optional<String> method =
          test.getSource()
              .filter(MethodSource.class::isInstance)
              .map(MethodSource.class::cast)
              .map(source -> source.getClassName() + "." + source.getMethodName());
      return method.orElse("") + " " + test.getDisplayName();
    }

    synchronized void failure(String name, Throwable why) {
      tests++;
      failed++;
      told.println();
      told.println(MARK + "failure " + name.strip());
      if (why != null) {
        why.printStackTrace(told);
      }
      told.println(MARK + "told");
      told.flush();
    }
  }
}
