package io.remuda.agent.settings.file;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How the value of a setting is written. It follows from the default in reference.conf; a last line
 * {@code one | another} of the comment there says which words are allowed.
 */
final class SettingForm {

  private static final Pattern TIME = Pattern.compile("\\d+(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("\\d+[KMGT]iB");
  private static final Pattern BARE_NUMBER = Pattern.compile("\\s*[0-9.]+\\s*");

  /** The last line of a comment that lists what may be written, {@code a size} among it or not. */
  private static final Pattern WORDS =
      Pattern.compile("\\s*(a size|\\w[\\w-]*)( \\| \\w[\\w-]*)+\\s*");

  private enum Kind {
    TIME("write a time such as 500ms, 10s, 5m, 24h or 30d"),
    SIZE("write a size such as 64KiB, 20MiB or 2GiB"),
    COUNT("write a whole number, 0 or more"),
    NUMBER("write a number, 0 or more"),
    TRUTH("write true or false"),
    LIST("write a list of texts such as [\"--one\", \"--another\"]"),
    TEXT("write a text");

    private final String todo;

    Kind(String todo) {
      this.todo = todo;
    }
  }

  private final Kind kind;
  private final List<String> words;

  private SettingForm(Kind kind, List<String> words) {
    this.kind = kind;
    this.words = words;
  }

  /** Returns the form of values like this default. */
  static SettingForm of(ConfigValue usual) {
    List<String> comments = usual.origin().comments();
    String last = comments.isEmpty() ? "" : comments.get(comments.size() - 1);
    List<String> words =
        WORDS.matcher(last).matches()
            ? Stream.of(last.strip().split(" \\| ")).filter(word -> !word.contains(" ")).toList()
            : List.of();
    return new SettingForm(kind(usual), words);
  }

  private static Kind kind(ConfigValue usual) {
    if (usual.valueType() == ConfigValueType.LIST) {
      return Kind.LIST;
    } else if (usual.valueType() == ConfigValueType.NUMBER) {
      return usual.unwrapped() instanceof Double ? Kind.NUMBER : Kind.COUNT;
    }
    if (usual.valueType() == ConfigValueType.BOOLEAN) {
      return Kind.TRUTH;
    }
    String text = String.valueOf(usual.unwrapped());
    return TIME.matcher(text).matches()
        ? Kind.TIME
        : SIZE.matcher(text).matches() ? Kind.SIZE : Kind.TEXT;
  }

  /** Returns the meaning of a setting, which is the comment above it in reference.conf. */
  static String meaning(ConfigValue usual) {
    List<String> comments = usual.origin().comments();
    boolean words =
        !comments.isEmpty() && WORDS.matcher(comments.get(comments.size() - 1)).matches();
    return String.join(" ", comments.stream().map(String::strip).toList()) + (words ? "." : "");
  }

  /** Returns what is wrong with the value of a setting and how to write it; empty if it is good. */
  Optional<String> fault(Config config, String key) {
    ConfigValue value = config.root().isEmpty() ? null : config.getValue(key);
    return isGood(config, key) ? Optional.empty() : Optional.of(wrong(key, value));
  }

  private String wrong(String key, ConfigValue value) {
    String text = value.render(ConfigRenderOptions.concise());
    String either = "write " + String.join(" or ", words);
    String todo =
        words.isEmpty()
            ? kind.todo
            : kind == Kind.TEXT ? either : kind.todo + ", or " + String.join(" or ", words);
    if (!words.isEmpty()) {
      todo += SimilarNames.didYouMean(String.valueOf(value.unwrapped()), words);
    }
    return key + " = " + text + " is not understood: " + todo;
  }

  private boolean isGood(Config config, String key) {
    try {
      if (words.contains(String.valueOf(config.getValue(key).unwrapped()))) {
        return true;
      }
      return switch (kind) {
        case TIME -> isGoodTime(config, key);
        case SIZE -> config.getBytes(key) >= 0;
        case COUNT -> config.getLong(key) >= 0 && config.getDouble(key) % 1 == 0;
        case NUMBER -> config.getDouble(key) >= 0;
        case TRUTH -> config.getBoolean(key) || true;
        case LIST -> isGoodList(config, key);
        case TEXT -> words.isEmpty() ? isText(config, key) : words.contains(config.getString(key));
      };
    } catch (ConfigException wrong) {
      return false;
    }
  }

  private static boolean isGoodTime(Config config, String key) {
    boolean unit = !BARE_NUMBER.matcher(config.getString(key)).matches();
    return unit && !config.getDuration(key).isNegative();
  }

  /** A text of several words is split by its reader; system properties cannot be lists. */
  private static boolean isGoodList(Config config, String key) {
    return config.getValue(key).valueType() == ConfigValueType.STRING
        || config.getStringList(key) != null;
  }

  private static boolean isText(Config config, String key) {
    return config.getString(key) != null;
  }
}
