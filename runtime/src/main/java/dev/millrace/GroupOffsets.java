package dev.millrace;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells who has set offsets of an application's consumer group that this changes nothing: these
/// are a copy, for tools to show how far it is, and the application goes on from what its changelog
/// says.
final class GroupOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(GroupOffsets.class);

  private GroupOffsets() {}

  /// Looks for such offsets, on a thread of its own, and says what is to be done.
  static void look(Log log, String application) {
    Thread.ofVirtual()
        .name("millrace-group-offsets")
        .start(() -> {
          try {
            Map<Split, Long> found = log.positionsOfOthers(application);
            if (!found.isEmpty()) {
              LOG.warn("{}", message(application, found));
            }
          } catch (LogException e) {
            LOG.debug("It is not known whether offsets of the consumer group were set.", e);
          }
        });
  }

  static String message(String application, Map<Split, Long> found) {
    Map.Entry<Split, Long> first = found.entrySet().iterator().next();
    String more = found.size() == 1 ? "" : " and %d more".formatted(found.size() - 1);
    return "Offsets of consumer group '%1$s' were set by another tool (%2$s = %3$d%4$s). That changes nothing: the application goes on from its own positions, of which the group has copies. To have it go on from those offsets, stop it and run: millrace app reset %1$s --to group --keep-state"
        .formatted(application, first.getKey(), first.getValue(), more);
  }
}
