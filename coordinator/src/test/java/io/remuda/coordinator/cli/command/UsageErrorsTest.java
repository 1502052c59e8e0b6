package io.remuda.coordinator.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.server.WithComplaints;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a wrong command line. */
class UsageErrorsTest extends WithComplaints {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sumbit | no such command: 'sumbit'; did you mean submit? (see remuda --help)",
        "sbatch x | no such command: 'sbatch'; did you mean submit? (see remuda --help)",
        "version | no such command: 'version'; did you mean --version? (see remuda --help)",
        "frobnicate | no such command: 'frobnicate' (see remuda --help)",
        "agnet | no such command: 'agnet'; did you mean agent? (see remuda --help)",
        "user ad | no such command: 'ad'; did you mean add? (see remuda user --help)",
        "store frob | no such command: 'frob'; there are copy (see remuda store --help)",
        "help sumbit | no such command: 'sumbit'; did you mean submit? (see remuda --help)",
        "submit --wrap x | no such option: '--wrap'; did you mean --shell?",
        "submit --parsable x | no such option: '--parsable'; submit prints the number of the job"
            + " alone in scripts, and on a terminal with --quiet",
        "submit --test-only x | no such option: '--test-only'; did you mean --dry-run?",
        "submit --param-file a.csv x | no such option: '--param-file'; did you mean --from-csv?",
        "submit --chdir /tmp x | no such option: '--chdir'; did you mean --workdir?",
        "submit -D /tmp x | no such option: '-D'; did you mean --workdir?",
        "state -j 5 | no such option: '-j'; name jobs without an option: remuda state 5",
        "state -j5 | no such option: '-j'; name jobs without an option: remuda state 5",
        "queue --jobs=5 | no such option: '--jobs'; name jobs without an option: remuda state 5",
        "state -t PD | no such option: '-t'; did you mean --state?",
        "state --start | no such option: '--start'; remuda state shows anyway when jobs that wait"
            + " may start",
        "list -w | no such option: '-w'; remuda top shows the jobs and keeps them up to date",
        "list --watch | no such option: '--watch'; remuda top shows the jobs and keeps them up to"
            + " date",
        "submit --gpu 1 -- x | no such option: '--gpu'; did you mean --gpus?",
        "submit --cpu=1 -- x | no such option: '--cpu'; did you mean --cpus?",
        "submit --walltime 1h -- x | no such option: '--walltime'; did you mean --time-limit?",
        "submit --timeLimit 1h -- x | no such option: '--timeLimit'; did you mean --time-limit?",
        "submit --gpu_mem 1G -- x | no such option: '--gpu_mem'; did you mean --gpu-mem?",
        "agent-x | no such command: 'agent-x'; did you mean agent?",
        "submit --priority high x | --priority must be a whole number, got 'high'",
        "submit --count 99999999999 x | --count must be a whole number up to 2147483647,",
        "submit --cpus many x | --cpus must be a number, got 'many'",
        "submit --env FOO -- x | --env must be KEY=VALUE, got 'FOO'",
        "submit --gang=x -- y | --gang takes no value, got 'x'",
        "submit --name | --name has no value: write --name TEXT",
        "submit --gpus 0.5 -- x | --gpus must be a whole number, got '0.5'; for a part of a GPU"
            + " give --gpu-mem SIZE, or --per-gpu 2 for as many tasks on each",
        "submit --gpus all -- x | --gpus must be a whole number, got 'all'",
        "store copy | give --from STATE and --to STATE: remuda store copy --from STATE --to STATE",
        "drain | give NODE: remuda drain NODE (see remuda drain --help)",
        "drain a b | 'b' is one word too many: remuda drain NODE (see remuda drain --help)",
        "drain n1 --gone --gpu 0 | --gone is about a whole node, and --gpu about a part of one",
        "drain --mov | no such option: '--mov'; did you mean --move?",
        "--mem lots | --mem: 'lots' is not a size: give a number, or one with KiB, MiB, GiB or TiB"
      })
  void it_names_what_is_wrong_and_what_to_write(String line, String said) {
    assertEquals(2, RootCommand.execute(line.split(" ")));
    assertTrue(complaint().startsWith("remuda: " + said), complaint());
    assertEquals(1, complaint().lines().count(), complaint());
  }

  @ParameterizedTest
  @ValueSource(strings = {"list", "ls", "queue", "ps", "status", "state"})
  void the_list_of_jobs_has_the_names_that_others_give_it(String name) {
    assertEquals(3, RootCommand.execute(new String[] {name}));
    assertTrue(complaint().startsWith("remuda: no server"), complaint());
  }
}
