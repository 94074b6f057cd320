package dev.millrace.kafka.embedded;

import org.apache.logging.log4j.simple.SimpleLoggerContextFactory;
import org.apache.logging.log4j.spi.Provider;

/// Keeps the Log4j API from complaining on standard error that it has no implementation.
///
/// One class of the broker, which changes log levels at run time, is written against that API; all
/// logging goes through slf4j. This names what the API falls back to in any case, at the lowest
/// priority, so an application with Log4j of its own is served by that.
public final class QuietLog4jProvider extends Provider {
  private static final int LOWEST_PRIORITY = 0;

  /// Called by the Log4j API.
  public QuietLog4jProvider() {
    super(LOWEST_PRIORITY, CURRENT_VERSION, SimpleLoggerContextFactory.class);
  }
}
