package dev.millrace.spi;

import dev.millrace.spi.Log.Offsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/// Something that can be read in splits: the log, or a connection to another system.
///
/// Thread-safe; its readers are not. Methods wait for the system and throw [LogException].
public interface SplitSource {

  /// Start and ends of splits. A split that does not exist is an error.
  Map<Split, Offsets> offsets(Collection<Split> splits);

  /// The first decided offset whose record is not older than a time, the stable end if there is
  /// none.
  Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time);

  /// A reader that returns only what is committed.
  SplitReader reader(String clientId);
}
