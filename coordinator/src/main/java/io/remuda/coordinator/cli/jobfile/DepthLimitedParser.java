package io.remuda.coordinator.cli.jobfile;

import io.remuda.coordinator.rest.request.RequestLimits;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.Parser;

/**
 * Refuses lists and maps that are nested deeper than the server allows: the composer is recursive
 * and would overflow the stack.
 */
final class DepthLimitedParser implements Parser {

  private final Parser inner;
  private int depth;

  DepthLimitedParser(Parser inner) {
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
          "lists and maps are nested deeper than " + RequestLimits.DEPTH + " levels",
          event.getStartMark());
    }
    if (event instanceof CollectionEndEvent) {
      depth--;
    }
    return event;
  }
}
