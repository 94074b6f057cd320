package dev.millrace.spi;

import dev.millrace.spi.Log.Offsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/// A source that is read in splits: the log, or a connection to another system.
///
/// Thread-safe; its readers are not. Methods wait for the system and throw [LogException].
public interface SplitSource {

  /// Returns the start and ends of splits. A split that does not exist is an error.
  Map<Split, Offsets> offsets(Collection<Split> splits);

  /// Returns, for each split, the first offset whose record is committed and not older than a time;
  /// the stable end if there is none.
  Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time);

  /// Creates a reader that returns only committed records.
  SplitReader reader(String clientId);
}
