package io.remuda.worker.protocol;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;

/**
 * Rejects texts that contain half of a surrogate pair. Jackson produces them from invalid UTF-8,
 * and they cannot be encoded again: forwarding or storing them would fail.
 */
public final class UnpairedSurrogateCheck {

  private static final String REFUSAL = "text is not valid UTF-8";

  private UnpairedSurrogateCheck() {}

  /** Returns the module; it checks string values and map keys. */
  public static Module module() {
    return new SimpleModule("whole-texts")
        .addDeserializer(String.class, new Values())
        .addKeyDeserializer(String.class, new Names());
  }

  private static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.codePoints().noneMatch(one -> Character.getType(one) == Character.SURROGATE);
      }
    }
    return true;
  }

  private static final class Values extends StdScalarDeserializer<String> {
    private static final long serialVersionUID = 1;

    Values() {
      super(String.class);
    }

    @Override
    public String deserialize(JsonParser in, DeserializationContext context) throws IOException {
      String text = StringDeserializer.instance.deserialize(in, context);
      return text == null || isWhole(text)
          ? text
          : context.reportInputMismatch(String.class, REFUSAL);
    }
  }

  private static final class Names extends KeyDeserializer {
    @Override
    public Object deserializeKey(String name, DeserializationContext context) throws IOException {
      return isWhole(name) ? name : context.reportInputMismatch(String.class, REFUSAL);
    }
  }
}
