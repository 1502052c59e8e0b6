package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** What a server answers; {@code RestClient::get} is one. */
@FunctionalInterface
public interface ServerAnswers {

  /**
   * Returns the answer to a question.
   *
   * @param path with its query, as {@code /nodes}
   * @throws IOException if the server refuses or does not answer
   */
  JsonNode get(String path) throws IOException;
}
