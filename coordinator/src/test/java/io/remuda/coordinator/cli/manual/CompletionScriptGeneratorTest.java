package io.remuda.coordinator.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.command.RootCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bash offers when the tab key is pressed. */
class CompletionScriptGeneratorTest {
  private static final Path BASH = Path.of("/bin/bash");

  /** Asks the script as bash does, with the words of a line, the last of which is begun. */
  private static final String PRESS_TAB =
      """
      source ./completion
      PATH=$PWD:$PATH
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
      spec=$(complete -p remuda)
      [[ $spec =~ -F\\ ([a-z_]+) ]] && "${BASH_REMATCH[1]}"
      for word in "${COMPREPLY[@]}"; do printf '%s ' "$word"; done
      """;

  /** In place of the program: what a server knows. */
  private static final String SERVER_KNOWS =
      """
      #!/bin/sh
      echo "$*" >> asked
      echo noise >&2
      case "$1 $2" in
        'complete jobs') printf '12\\n13\\ntrain\\nlast\\nall\\n' ;;
        'complete all-jobs') printf '1\\n12\\n13\\ntrain\\nlast\\n' ;;
        'complete nodes') printf 'lab7\\nlab8\\nfat1\\n' ;;
        'complete users') printf 'ann\\nbob\\n' ;;
        *) exit 2 ;;
      esac
      """;

  @TempDir private static Path folder;

  @BeforeAll
  static void write() throws IOException {
    assertTrue(Files.isExecutable(BASH), "there is no bash: ./check installs it");
    Files.writeString(
        folder.resolve("completion"),
        new ManualAndCompletionWriter(RootCommand.line().getCommandSpec()).completion());
    Files.writeString(folder.resolve("jobs.yaml"), "");
    Path remuda = folder.resolve("remuda");
    Files.writeString(remuda, SERVER_KNOWS);
    assertTrue(remuda.toFile().setExecutable(true));
    Files.createDirectories(folder.resolve("job folder"));
  }

  private static String bash(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(BASH.toString()));
    command.addAll(List.of(arguments));
    Process bash =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    bash.getOutputStream().close();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    bash.waitFor();
    return said;
  }

  /** All that is offered, sorted. */
  private static String offered(String... words) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-c", PRESS_TAB, "bash"));
    arguments.addAll(List.of(words));
    return Arrays.stream(bash(arguments.toArray(String[]::new)).split(" (?!folder)"))
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(" "));
  }

  @Test
  void bash_finds_no_fault_in_the_script() throws Exception {
    assertEquals("", bash("-n", "completion"));
  }

  /** An underscore at the end of a line stands for a word that is not begun. */
  @ParameterizedTest
  @CsvSource({
    "remuda sub, submit",
    "remuda re, release report requeue restore resubmit resume",
    "remuda ag, agent",
    "remuda submit --gpu, --gpu-mem --gpu-model --gpus",
    "remuda submit --policy _, best-fit dot-product fgd foresight pack random round-robin share spread",
    "remuda submit --policy = s, share spread",
    "remuda submit --policy =, best-fit dot-product fgd foresight pack random round-robin share spread",
    "remuda submit --name wait --prio, --priority",
    "remuda submit --file jobs, jobs.yaml",
    "remuda submit --file job, job folder jobs.yaml",
    "remuda submit job, job folder jobs.yaml",
    "remuda submit --workdir job, job folder",
    "remuda submit --cpus _, ''",
    "remuda run -- cat jobs, jobs.yaml",
    "remuda run -- make wait --al, ''",
    "remuda run -- ./jo, ./job folder ./jobs.yaml",
    "remuda user _, add curl limit list remove renew",
    "remuda user add --o, --out",
    "remuda agent --jo, --join",
    "remuda cancel _, 12 13 all last train",
    "remuda cancel 1, 12 13",
    "remuda cancel 12 tr, train",
    "'remuda cancel 12,1', '12,12 12,13'",
    "remuda cancel jo, ''",
    "remuda show _, 1 12 13 last train",
    "remuda logs -f tr, train",
    "remuda submit --after 1, 1 12 13",
    "remuda drain lab, lab7 lab8",
    "remuda drain --move f, fat1",
    "'remuda submit --node lab7,', 'lab7,fat1 lab7,lab7 lab7,lab8'",
    "remuda agent --name l, ''",
    "remuda user remove _, ann bob",
    "remuda state --user a, ann",
    "remuda ls --al, --all",
    "remuda ls --user b, bob",
    "remuda help subm, submit",
    "remuda backup jobs, jobs.yaml",
    "remuda compl, completion",
    "remuda --epo, --epochs",
    "remuda --rehe, ''"
  })
  void the_tab_key_offers_what_may_follow(String line, String offered) throws Exception {
    assertEquals(
        offered,
        offered(
            Arrays.stream(line.split(" "))
                .map(word -> word.equals("_") ? "" : word)
                .toArray(String[]::new)));
  }

  @Test
  void the_server_is_asked_once_for_several_tabs() throws Exception {
    Files.deleteIfExists(folder.resolve("asked"));
    offered("remuda", "cancel", "1");
    String twice =
        PRESS_TAB
            + """
            COMP_WORDS=(remuda cancel t); COMP_CWORD=2; COMPREPLY=()
            "${BASH_REMATCH[1]}"
            printf ' then %s' "${COMPREPLY[*]}"
            """;
    assertEquals("12 13  then train", bash("-c", twice, "bash", "remuda", "cancel", "1"));
    assertEquals("complete jobs\ncomplete jobs\n", Files.readString(folder.resolve("asked")));
  }

  @Test
  void the_first_word_of_a_users_command_is_a_program() throws Exception {
    assertTrue(offered("remuda", "run", "--", "ech").contains("echo"));
  }
}
