package dev.millrace.internal.kafka.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;

/// The producers whose records are left out at the current position: those with an aborted
/// transaction, from its first offset to its marker.
final class AbortedProducers {
  private final List<AbortedTransaction> waiting;
  private final Set<Long> now = new HashSet<>();
  private int begun;

  AbortedProducers(List<AbortedTransaction> transactions) {
    waiting = new ArrayList<>(transactions);
    waiting.sort(Comparator.comparingLong(AbortedTransaction::firstOffset));
  }

  /// Advances to a batch that ends at an offset.
  void advanceTo(long lastOffset) {
    while (begun < waiting.size() && waiting.get(begun).firstOffset() <= lastOffset) {
      now.add(waiting.get(begun).producerId());
      begun++;
    }
  }

  boolean contains(long producerId) {
    return !now.isEmpty() && now.contains(producerId);
  }

  /// Ends the transaction of a producer, at its marker.
  void end(long producerId) {
    now.remove(producerId);
  }
}
