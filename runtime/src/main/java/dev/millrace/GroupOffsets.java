package dev.millrace;

import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Warns if another tool has set offsets of an application's consumer group, which has no effect:
/// these offsets are a copy for tools that show the progress, and the application continues at the
/// positions in its changelog.
final class GroupOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(GroupOffsets.class);

  private GroupOffsets() {}

  /// Searches for such offsets on a separate thread, and logs what to do.
  static void look(Log log, ApplicationName application) {
    Thread.ofVirtual()
        .name("millrace-group-offsets")
        .start(() -> {
          try {
            Map<Split, Long> found = log.positionsOfOthers(application.storage());
            if (!found.isEmpty()) {
              LOG.warn("{}", message(application, found));
            }
          } catch (LogException e) {
            LOG.debug("Whether offsets of the consumer group were set is unknown.", e);
          }
        });
  }

  static String message(ApplicationName application, Map<Split, Long> found) {
    Map.Entry<Split, Long> first = found.entrySet().iterator().next();
    String more = found.size() == 1 ? "" : " and %d more".formatted(found.size() - 1);
    return "Offsets of consumer group '%1$s' were set by another tool (%3$s = %4$d%5$s). This has no effect: the application continues at its own positions, of which the group has copies. To make it continue at those offsets, stop it and run: millrace app reset %2$s --to group --keep-state"
        .formatted(
            application.storage(), application.name(), first.getKey(), first.getValue(), more);
  }
}
