package dev.millrace.benchmarks.redis;

import dev.millrace.api.Output;
import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.localstate.Messages;
import dev.millrace.benchmarks.scenarios.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Counts by id: reads the counts of those that were gathered, and writes them back.
final class RemoteCounts extends RemoteProcessor {
  /// How often each id came; 0 for one that only asks. One that asks comes behind all others.
  private final Map<Long, Long> added = new HashMap<>();

  private final List<Long> asking = new ArrayList<>();

  RemoteCounts(Supplier<RemoteValues> connect, int most) {
    super(connect, most);
  }

  @Override
  void gather(long id, Bytes event) {
    boolean asks = Event.asks(event.array(), event.offset());
    added.put(id, added.getOrDefault(id, 0L) + (asks ? 0 : 1));
    if (asks) {
      asking.add(id);
    }
  }

  @Override
  void ask(RemoteValues opened, Output<byte[]> out) {
    Map<Long, byte[]> before = opened.get(added.keySet());
    Map<Long, byte[]> changed = new HashMap<>();
    added.forEach((id, count) -> {
      if (count > 0) {
        changed.put(id, Event.toBytes(count(before, id) + count));
      }
    });
    opened.put(changed);
    for (long id : asking) {
      out.emit(Messages.answer(id, count(before, id) + added.getOrDefault(id, 0L)));
    }
    added.clear();
    asking.clear();
  }

  private static long count(Map<Long, byte[]> counts, long id) {
    byte[] count = counts.get(id);
    return count == null ? 0 : Event.toLong(count, 0);
  }
}
