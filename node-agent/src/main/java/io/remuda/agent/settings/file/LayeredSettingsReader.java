package io.remuda.agent.settings.file;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The sources of the settings: system properties, then the file {@value #FILE} in the state folder,
 * then the defaults in reference.conf. The file is in HOCON. An agent's process knows only the
 * agent's settings, and leaves those of the coordinator in the file unchecked.
 */
public final class LayeredSettingsReader {

  /** Name of the settings file in the state folder. */
  public static final String FILE = "remuda.conf";

  private static final String ROOT = "remuda";
  private static final String PROPERTIES = "system properties";
  private static final Set<String> PROGRAMS = Set.of("agent", "coordinator");

  private final Config properties;
  private final Config file;
  private final Config reference;

  private LayeredSettingsReader(Config properties, Config file, Config reference) {
    this.properties = properties;
    this.file = file;
    this.reference = reference;
  }

  /**
   * Reads the settings file of a state folder, if there is one, and checks it and the system
   * properties.
   *
   * @throws BadSettingsException if a setting is unknown, or a value is not of its form
   */
  public static LayeredSettingsReader in(Path home) {
    return of(home.resolve(FILE), ConfigFactory.systemProperties());
  }

  /** Returns the sources without a file. */
  public static LayeredSettingsReader withoutFile() {
    return of(ConfigFactory.empty(), ConfigFactory.systemProperties());
  }

  /** Reads and checks a file, with these properties in place of those of the process. */
  static LayeredSettingsReader of(Path file, Config properties) {
    return of(parse(file), properties);
  }

  private static LayeredSettingsReader of(Config file, Config properties) {
    Config reference = Defaults.ALL;
    LayeredSettingsReader sources =
        new LayeredSettingsReader(programs(properties), file, reference);
    sources.check();
    return sources;
  }

  /**
   * The defaults of Remuda without the system properties. They are read once, which takes a while;
   * if no property is a setting of ours, together with those that an actor system needs anyway.
   */
  private static final class Defaults {

    static final Config ALL = read();

    private static Config read() {
      Config reference =
          programs(ConfigFactory.systemProperties()).isEmpty()
              ? ConfigFactory.defaultReferenceUnresolved()
              : ConfigFactory.parseResources("reference.conf");
      Config own = ConfigFactory.empty();
      for (String program : PROGRAMS) {
        String path = ROOT + "." + program;
        own = reference.hasPath(path) ? own.withValue(path, reference.getValue(path)) : own;
      }
      return own;
    }
  }

  /** Leaves out what concerns other programs or is no setting, such as {@code remuda.archives}. */
  private static Config programs(Config properties) {
    Config kept = ConfigFactory.empty();
    for (String program : PROGRAMS) {
      String path = ROOT + "." + program;
      if (properties.hasPath(path)) {
        kept = kept.withValue(path, properties.getValue(path));
      }
    }
    return kept;
  }

  private static Config parse(Path file) {
    if (!Files.exists(file)) {
      return ConfigFactory.empty();
    }
    try {
      ConfigParseOptions options =
          ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setAllowMissing(false);
      return ConfigFactory.parseFile(file.toFile(), options).resolve();
    } catch (ConfigException.IO unreadable) {
      throw new BadSettingsException(
          file + " cannot be read: make it readable for you", unreadable);
    } catch (ConfigException fault) {
      throw new BadSettingsException(placed(file, fault), fault);
    }
  }

  private static String placed(Path file, ConfigException fault) {
    ConfigOrigin origin = fault.origin();
    if (origin == null) {
      return file + ": " + fault.getMessage();
    }
    String said = fault.getMessage().replace(origin.description() + ": ", "");
    return place(origin) + ": " + said;
  }

  private static String place(ConfigOrigin origin) {
    if (origin.description().equals(PROPERTIES)) {
      return "system property";
    }
    String name = origin.filename() == null ? origin.description() : origin.filename();
    return origin.lineNumber() > 0 ? name + ":" + origin.lineNumber() : name;
  }

  private void check() {
    Config given = given();
    Set<String> known = new TreeSet<>(leaves(reference.root(), "").keySet());
    for (Map.Entry<String, ConfigValue> entry : leaves(given.root(), "").entrySet()) {
      if (isOurs(entry.getKey())) {
        check(given, entry.getKey(), entry.getValue(), known);
      }
    }
  }

  private Config given() {
    return properties.withFallback(file);
  }

  /** Returns whether the settings of this program and its parts include this path, or should. */
  private boolean isOurs(String key) {
    List<String> path = ConfigUtil.splitPath(key);
    boolean another = path.size() > 1 && PROGRAMS.contains(path.get(1));
    return !(path.get(0).equals(ROOT) && another) || reference.hasPath(ROOT + "." + path.get(1));
  }

  private void check(Config given, String key, ConfigValue value, Set<String> known) {
    String place = place(value.origin()) + ": ";
    ConfigValue usual = known.contains(key) ? reference.getValue(key) : null;
    if (usual == null && reference.hasPath(key)) {
      throw new BadSettingsException(
          place + key + " is a group of settings: write " + key + ".NAME = VALUE");
    }
    if (usual == null || !key.startsWith(ROOT + ".")) {
      throw new BadSettingsException(place + unknown(key, all()) + " (see remuda config)");
    }
    if (value.valueType() == ConfigValueType.NULL) {
      throw new BadSettingsException(place + key + " = null: leave the line out for the default");
    }
    SettingForm.of(usual)
        .fault(given, key)
        .ifPresent(
            fault -> {
              throw new BadSettingsException(place + fault);
            });
  }

  /** Returns the message that there is no setting of this name, with the one that may be meant. */
  public static String unknown(String key, List<EffectiveSetting> all) {
    List<String> names = all.stream().map(EffectiveSetting::key).toList();
    return "there is no setting " + key + SimilarNames.didYouMean(key, names);
  }

  /** Returns the values below an object by path: all but objects with something in them. */
  private static Map<String, ConfigValue> leaves(ConfigObject object, String above) {
    Map<String, ConfigValue> found = new TreeMap<>();
    for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
      String path = above + (above.isEmpty() ? "" : ".") + ConfigUtil.joinPath(entry.getKey());
      if (entry.getValue() instanceof ConfigObject below && !below.isEmpty()) {
        found.putAll(leaves(below, path));
      } else {
        found.put(path, entry.getValue());
      }
    }
    return found;
  }

  /**
   * Returns the whole configuration of an actor system.
   *
   * @param resource with the settings of the actor system itself, {@code coordinator} or {@code
   *     agent}
   */
  public Config over(String resource) {
    return ConfigFactory.load(file.withFallback(ConfigFactory.parseResourcesAnySyntax(resource)));
  }

  /**
   * Reads typed settings, and adds to a refusal where the refused setting is written.
   *
   * @param path of the part that the reader gets, such as {@code remuda.agent}
   * @throws BadSettingsException if the reader refuses a value
   */
  public <T> T read(String path, Function<Config, T> reader) {
    Config all = properties.withFallback(file).withFallback(reference).resolve();
    try {
      return reader.apply(all.getConfig(path));
    } catch (BadSettingsException placed) {
      throw placed;
    } catch (ConfigException fault) {
      throw new BadSettingsException(placed(Path.of(FILE), fault), fault);
    } catch (IllegalArgumentException refused) {
      throw new BadSettingsException(
          placeOf(refused.getMessage(), path) + refused.getMessage(), refused);
    }
  }

  /** Returns the place of the given setting that a message names; empty if it names none. */
  private String placeOf(String message, String path) {
    return leaves(given().root(), "").entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(path + "."))
        .filter(
            entry ->
                message.contains(entry.getKey().substring(entry.getKey().lastIndexOf('.') + 1)))
        .findFirst()
        .map(entry -> place(entry.getValue().origin()) + ": ")
        .orElse("");
  }

  /** Returns all settings that this process knows, by key. */
  public List<EffectiveSetting> all() {
    Config given = given();
    List<EffectiveSetting> settings = new ArrayList<>();
    leaves(reference.getObject(ROOT), ROOT)
        .forEach((key, usual) -> settings.add(setting(key, usual, given)));
    return List.copyOf(settings);
  }

  private static EffectiveSetting setting(String key, ConfigValue usual, Config given) {
    ConfigValue value = given.hasPath(key) ? given.getValue(key) : usual;
    EffectiveSetting.Source source = source(value, usual);
    boolean inFile = source == EffectiveSetting.Source.FILE;
    return new EffectiveSetting(
        key,
        text(value),
        text(usual),
        source,
        inFile ? value.origin().filename() : "",
        inFile ? value.origin().lineNumber() : 0,
        SettingForm.meaning(usual));
  }

  private static EffectiveSetting.Source source(ConfigValue value, ConfigValue usual) {
    if (value == usual) {
      return EffectiveSetting.Source.DEFAULT;
    }
    return value.origin().description().equals(PROPERTIES)
        ? EffectiveSetting.Source.PROPERTY
        : EffectiveSetting.Source.FILE;
  }

  private static String text(ConfigValue value) {
    boolean plain =
        value.valueType() == ConfigValueType.STRING && !((String) value.unwrapped()).isEmpty();
    return plain ? (String) value.unwrapped() : value.render(ConfigRenderOptions.concise());
  }
}
