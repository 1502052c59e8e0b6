package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.file.EffectiveSetting;
import io.remuda.agent.settings.file.LayeredSettingsReader;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.json.PlainJson;
import io.remuda.telemetry.render.PrintableText;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the settings, and where each comes from. */
@Command(
    name = "config",
    description = {
      "Shows each setting of the server and of agents with its value, its default, and where the"
          + " value comes from. The settings file is remuda.conf in $$REMUDA_HOME (~/.remuda), with"
          + " lines such as remuda.agent.output-limit = 2GiB; system properties win over it. A"
          + " program that runs already has the settings of its start."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "2:a setting is wrong, or there is none of this name"},
    sortOptions = false)
public final class ConfigCommand implements Callable<Integer> {

  @Parameters(
      arity = "0..1",
      paramLabel = "KEY",
      description = "show this setting alone, with its meaning; or those of a group")
  private String key;

  @Option(names = "--json", description = "print one JSON array")
  private boolean json;

  @Option(names = "--check", description = "only say whether all settings are good")
  private boolean check;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws JsonProcessingException {
    Path home = Caller.of(spec).paths().state();
    LayeredSettingsReader sources = SettingsCheck.of(home);
    if (check) {
      say(verdict(home.resolve(LayeredSettingsReader.FILE), sources.all()));
      return 0;
    }
    List<EffectiveSetting> chosen = chosen(sources.all());
    if (json) {
      say(PlainJson.MAPPER.writeValueAsString(chosen.stream().map(ConfigCommand::fields).toList()));
    } else if (key != null && chosen.size() == 1) {
      describe(chosen.get(0));
    } else {
      table(chosen).lines().forEach(this::say);
    }
    return 0;
  }

  private static String verdict(Path file, List<EffectiveSetting> all) {
    long set = all.stream().filter(one -> one.source() != EffectiveSetting.Source.DEFAULT).count();
    return Files.exists(file)
        ? file + " is good; " + set + " of " + all.size() + " settings are set"
        : "there is no " + file + "; " + set + " of " + all.size() + " settings are set";
  }

  /** Returns the settings that the argument names: by path, by group, or by the end of the path. */
  private List<EffectiveSetting> chosen(List<EffectiveSetting> all) {
    if (key == null) {
      return all;
    }
    List<EffectiveSetting> chosen =
        all.stream()
            .filter(
                one ->
                    one.key().equals(key)
                        || one.key().startsWith(key + ".")
                        || one.key().endsWith("." + key)
                        || one.key().contains("." + key + "."))
            .toList();
    if (chosen.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), LayeredSettingsReader.unknown(key, all) + " (see remuda config)");
    }
    return chosen;
  }

  private static Map<String, Object> fields(EffectiveSetting setting) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", setting.key());
    fields.put("value", setting.value());
    fields.put("default", setting.usual());
    fields.put("source", setting.source().name().toLowerCase(Locale.ROOT));
    if (setting.source() == EffectiveSetting.Source.FILE) {
      fields.put("file", setting.file());
      fields.put("line", setting.line());
    }
    fields.put("meaning", setting.meaning());
    return fields;
  }

  private void describe(EffectiveSetting setting) {
    say(setting.key() + " = " + setting.value());
    say("from     " + setting.place());
    say("default  " + setting.usual());
    say(setting.meaning());
  }

  private static TextTable table(List<EffectiveSetting> settings) {
    TextTable table = new TextTable("SETTING", "VALUE", "DEFAULT", "FROM");
    settings.forEach(one -> table.row(one.key(), one.value(), one.usual(), one.place()));
    return table;
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(PrintableText.lines(line));
    out.flush();
  }
}
