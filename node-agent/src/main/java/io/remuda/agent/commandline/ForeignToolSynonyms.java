package io.remuda.agent.commandline;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What Slurm, PBS, HyperQueue, gflow, task-spooler, docker and others call the commands and options
 * of Remuda. Each line has our words, of which those that exist are offered, and then theirs.
 */
final class ForeignToolSynonyms {

  private static final Map<String, List<String>> COMMANDS =
      table(
          "submit: sbatch qsub bsub add gbatch ts tsp enqueue launch job create",
          "run: srun exec salloc mpirun",
          "state: squeue qstat bjobs gqueue jobs tasks sacct history",
          "show: info inspect describe detail details scontrol get",
          "cancel: scancel qdel bkill kill abort rm remove delete gcancel",
          "logs: log output cat tail stdout stderr",
          "explain: why reason",
          "attach: shell ssh sattach enter login console",
          "forward: port-forward tunnel proxy",
          "serve: server start up daemon coordinator init",
          "agent: worker join slurmd",
          "stop: down shutdown quit exit",
          "nodes: sinfo pbsnodes hosts workers machines node agents",
          "hold: pause suspend",
          "release: unhold unpause",
          "requeue: restart retry rerun",
          "resume: undrain",
          "top: monitor dashboard htop nvitop watch",
          "doctor: check diagnose",
          "gpus: nvidia-smi gpu devices",
          "wait: await join-jobs",
          "help: man usage",
          "--version: version");

  private static final Map<String, List<String>> OPTIONS =
      table(
          "--count: -n --ntasks -N --instances --replicas",
          "--array: --job-array",
          "--cpus: -c --cpu --ncpus --cores --threads --cpus-per-task",
          "--mem: -m --memory --ram --mem-per-task --mem-per-cpu --mem-per-node",
          "--gpus: -G --gpu --gres --ngpus --gpus-per-task --num-gpus --devices",
          "--gpu-mem: --vram --gpu-memory --mem-per-gpu",
          "--gpu-model: --gpu-type",
          "--time-limit: -t -l --time --walltime --timeout --timelimit --max-time",
          "--name: -J --job-name --jobname",
          "--workdir: -D -C --chdir --cwd --dir --directory --working-dir",
          "--after: -d -P --dependency --depends --depends-on --depends-on-all --depend --deps",
          "--after-one-of: --depends-on-any --after-any --any-of",
          "--priority: -p --prio --nice",
          "--retries: --retry --requeue --max-retries --restarts",
          "--env: -e -x --export --environment",
          "--label: --constraint --feature --features --selector",
          "--node --label: -w --nodelist --host --hosts",
          "--exclude: -X --exclude-nodes",
          "--shell: --wrap",
          "--signal: --warn-signal",
          "--grace: --kill-wait --stop-timeout --term-timeout",
          "--max-running: --concurrent --concurrency --max-concurrent --parallel --slots --jobs",
          "--container: --image --docker --singularity --apptainer",
          "--mount: -v --volume --bind",
          "--port: --publish",
          "--output: -o --stdout --out",
          "--error: --stderr",
          "--follow: -F --stream",
          "--tail: -n --lines",
          "--err --error: --stderr",
          "--wait: -W --block --watch",
          "--all: -A --any --finished",
          "--dry-run: --test-only",
          "--from-csv: --param-file",
          "--state: -t --states --status",
          "--columns: --fields --Format",
          "--quiet: -s --silent",
          "--yes: -y --force",
          "--json: --output-mode --format --output-format");

  private ForeignToolSynonyms() {}

  private static Map<String, List<String>> table(String... lines) {
    Map<String, List<String>> table = new HashMap<>();
    for (String line : lines) {
      String[] sides = line.split(": ");
      for (String theirs : sides[1].split(" ")) {
        table.merge(theirs, List.of(sides[0].split(" ")), ForeignToolSynonyms::both);
      }
    }
    return table;
  }

  private static List<String> both(List<String> one, List<String> other) {
    return Stream.of(one, other).flatMap(List::stream).toList();
  }

  /** Returns our words for a command of another program, of those that are known here. */
  static List<String> command(String theirs, Collection<String> known) {
    return ours(COMMANDS, theirs, known);
  }

  /** Returns our words for an option of another program, of those that are known here. */
  static List<String> option(String theirs, Collection<String> known) {
    return ours(OPTIONS, theirs, known);
  }

  private static List<String> ours(
      Map<String, List<String>> table, String theirs, Collection<String> known) {
    return table.getOrDefault(theirs, List.of()).stream().filter(known::contains).limit(1).toList();
  }
}
