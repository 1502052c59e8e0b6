package io.remuda.coordinator.cli.jobfile;

import io.remuda.coordinator.rest.RequestLimits;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.Parser;

/**
 * Refuses lists and maps that are deeper in each other than the server takes: the composer, which
 * calls itself for each of them, would run out of stack.
 */
final class ShallowParser implements Parser {

  private final Parser inner;
  private int depth;

  ShallowParser(Parser inner) {
    this.inner = inner;
  }

  @Override
  public boolean checkEvent(Event.ID choice) {
    return inner.checkEvent(choice);
  }

  @Override
  public Event peekEvent() {
    return inner.peekEvent();
  }

  @Override
  public boolean hasNext() {
    return inner.hasNext();
  }

  @Override
  public Event next() {
    Event event = inner.next();
    if (event instanceof CollectionStartEvent && ++depth > RequestLimits.DEPTH) {
      throw new ParserException(
          "there are more than " + RequestLimits.DEPTH + " lists and maps in each other",
          event.getStartMark());
    }
    if (event instanceof CollectionEndEvent) {
      depth--;
    }
    return event;
  }
}
