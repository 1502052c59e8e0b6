package io.remuda.coordinator.testkit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * What this JVM logs while this is open, wherever its log goes: that may be standard output or
 * standard error, depending on what a test before has started. Any thread.
 */
public final class CapturedLog implements AutoCloseable {

  private final LoggerContext loggers = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Logger root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          messages.add(event.getFormattedMessage());
        }
      };

  private CapturedLog() {}

  /** Begins to listen. */
  public static CapturedLog open() {
    CapturedLog log = new CapturedLog();
    log.appender.setContext(log.loggers);
    log.appender.start();
    log.root.addAppender(log.appender);
    return log;
  }

  /** Tells whether a message had these words. */
  public boolean contains(String words) {
    return messages.stream().anyMatch(message -> message.contains(words));
  }

  @Override
  public void close() {
    root.detachAppender(appender);
    appender.stop();
  }
}
