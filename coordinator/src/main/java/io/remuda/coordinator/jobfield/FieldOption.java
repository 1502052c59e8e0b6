package io.remuda.coordinator.jobfield;

import java.util.List;
import java.util.stream.Stream;

/**
 * An option by which the command line has a field.
 *
 * @param names as they are typed, the longest one last
 * @param label of its value in the help; null for a flag
 * @param help what it says, as picocli prints it
 * @param whole whether its value is that of the field; otherwise the command line makes one of it
 */
public record FieldOption(List<String> names, String label, Form form, String help, boolean whole) {

  /** How often it can be given, and what is typed behind it. */
  public enum Form {
    FLAG(""),
    ONE(""),
    /** One or several values, with commas between them. */
    COMMAS(",..."),
    /** One value of several; the option is repeated. */
    EACH("...");

    private final String sign;

    Form(String sign) {
      this.sign = sign;
    }
  }

  /** Returns an option of a synopsis: its names, and a label with the sign of its form. */
  static FieldOption of(String synopsis, String help, boolean whole) {
    List<String> words = List.of(synopsis.split(" "));
    List<String> names = words.stream().filter(word -> word.startsWith("-")).toList();
    if (names.size() == words.size()) {
      return new FieldOption(names, null, Form.FLAG, help, whole);
    }
    String label = words.get(names.size());
    Form form =
        Stream.of(Form.COMMAS, Form.EACH)
            .filter(one -> label.endsWith(one.sign))
            .findFirst()
            .orElse(Form.ONE);
    String value = label.substring(0, label.length() - form.sign.length());
    return new FieldOption(names, value, form, help, whole);
  }

  /** Returns its longest name. */
  public String name() {
    return names.get(names.size() - 1);
  }
}
