package io.remuda.json;

import com.fasterxml.jackson.databind.json.JsonMapper;

/** The mapper of all that needs no settings of its own: making one takes milliseconds. */
public final class PlainJson {

  /** Refuses unknown fields. Thread-safe; nobody may change it. */
  public static final JsonMapper MAPPER = new JsonMapper();

  private PlainJson() {}
}
