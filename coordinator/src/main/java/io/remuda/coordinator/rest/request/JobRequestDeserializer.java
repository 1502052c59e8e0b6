package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.ShortenedValues;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the fields of a job by their table; null stands for a field that is not given. */
final class JobRequestDeserializer extends JsonDeserializer<JobRequest> {

  @Override
  public JobRequest deserialize(JsonParser in, DeserializationContext context) throws IOException {
    StrictValues.checkStart(in, JsonToken.START_OBJECT, "a job", "an object");
    return new JobRequest(fields(in, context, FieldTable.JOB));
  }

  private static FieldValues fields(JsonParser in, DeserializationContext context, FieldTable table)
      throws IOException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      JobField<?> field = table.find(name).orElse(null);
      if (field == null) {
        throw StrictValues.bad(in, "unknown field " + ShortenedValues.quoted(name));
      }
      Object value =
          in.nextToken() == JsonToken.VALUE_NULL ? null : value(in, context, field.name(), field);
      if (value != null) {
        values.put(field.name(), value);
      }
    }
    return new FieldValues(values);
  }

  private static Object value(
      JsonParser in, DeserializationContext context, String name, JobField<?> field)
      throws IOException {
    return switch (field.type()) {
      case TEXT -> StrictValues.text(in, context, name, field.limit().text());
      case INTEGER -> StrictValues.integer(in, name);
      case NUMBER -> StrictValues.number(in, name);
      case FLAG -> StrictValues.flag(in, name);
      case TEXTS -> StrictValues.texts(in, context, name, field.limit());
      case MAP -> StrictValues.map(in, context, name, field.limit());
      case LINES, ENTRIES -> new TaskLinesReader(field).read(in);
      case GANG -> gang(in, context, name);
      case ROLES -> roles(in, context, field);
    };
  }

  /** Returns the fields of a gang; null for no gang. */
  private static FieldValues gang(JsonParser in, DeserializationContext context, String name)
      throws IOException {
    if (in.hasToken(JsonToken.VALUE_TRUE) || in.hasToken(JsonToken.VALUE_FALSE)) {
      return in.getBooleanValue() ? new FieldValues(Map.of()) : null;
    }
    StrictValues.checkStart(in, JsonToken.START_OBJECT, name, "true, false or an object");
    return fields(in, context, FieldTable.GANG);
  }

  private static Map<String, FieldValues> roles(
      JsonParser in, DeserializationContext context, JobField<?> field) throws IOException {
    StrictValues.checkStart(in, JsonToken.START_OBJECT, field.name(), "an object of objects");
    Map<String, FieldValues> roles = new LinkedHashMap<>();
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      StrictValues.checkEntry(in, context, field.name(), name, roles.size() + 1, field.limit());
      in.nextToken();
      StrictValues.checkStart(in, JsonToken.START_OBJECT, field.name() + "." + name, "an object");
      roles.put(name, fields(in, context, FieldTable.ROLE));
    }
    return roles;
  }
}
