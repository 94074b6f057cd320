package dev.millrace.testkit.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/// What a class says, as a warning or less, from now until this is closed, whoever uses it
/// meanwhile.
final class Heard implements AutoCloseable {
  private final Logger logger;
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          messages.add(event.getFormattedMessage());
        }
      };

  /// @param speaker a class of the package that is listened to
  Heard(Class<?> speaker) {
    this(speaker, Level.WARN);
  }

  /// @param speaker a class of the package that is listened to
  /// @param least of what is heard
  Heard(Class<?> speaker, Level least) {
    logger = (Logger) LoggerFactory.getLogger(speaker.getPackageName());
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(least);
  }

  Stream<String> stream() {
    return messages.stream();
  }

  @Override
  public void close() {
    logger.setLevel(null);
    logger.detachAppender(appender);
  }
}
