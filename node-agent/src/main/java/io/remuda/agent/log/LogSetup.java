package io.remuda.agent.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.remuda.telemetry.render.PrintableText;

/**
 * Configures logging to standard error: Remuda's own lines from INFO, those of libraries from WARN;
 * all from {@code REMUDA_LOG_LEVEL} if that is set as a system property or in the environment. It
 * is configured in code because reading logback's XML loads 350 classes, 4 MB of each agent. {@code
 * -Dlogback.configurationFile} still selects a file to use instead.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

  private static final String LEVEL = "REMUDA_LOG_LEVEL";
  private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n";

  @Override
  public ExecutionStatus configure(LoggerContext loggers) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    String level = System.getProperty(LEVEL, System.getenv(LEVEL));
    Logger root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(level, Level.WARN));
    root.addAppender(standardError(loggers));
    loggers.getLogger("io.remuda").setLevel(Level.toLevel(level, Level.INFO));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static ConsoleAppender<ILoggingEvent> standardError(LoggerContext loggers) {
    PatternLayout lines = new PrintableLines();
    lines.setContext(loggers);
    lines.setPattern(PATTERN);
    lines.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(loggers);
    encoder.setLayout(lines);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(loggers);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  /** Escapes log lines, since the log may be a terminal and lines contain text from users. */
  private static final class PrintableLines extends PatternLayout {
    @Override
    public String doLayout(ILoggingEvent event) {
      return PrintableText.lines(super.doLayout(event));
    }
  }
}
