package dev.millrace.internal.kafka.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;

/// Which producers' records are to be left out at the place that reading has come to: those of
/// transactions that were aborted, from their first offset to their marker.
final class AbortedProducers {
  private final List<AbortedTransaction> waiting;
  private final Set<Long> now = new HashSet<>();
  private int begun;

  AbortedProducers(List<AbortedTransaction> transactions) {
    waiting = new ArrayList<>(transactions);
    waiting.sort(Comparator.comparingLong(AbortedTransaction::firstOffset));
  }

  /// Reading has come to a batch that ends at an offset.
  void advanceTo(long lastOffset) {
    while (begun < waiting.size() && waiting.get(begun).firstOffset() <= lastOffset) {
      now.add(waiting.get(begun).producerId());
      begun++;
    }
  }

  boolean contains(long producerId) {
    return !now.isEmpty() && now.contains(producerId);
  }

  /// The marker of a producer has come.
  void end(long producerId) {
    now.remove(producerId);
  }
}
