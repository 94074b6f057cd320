package dev.millrace.benchmarks.beam;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.nexmark.model.KnownSize;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.TimestampedValue;

/// Notes the results of a pipeline of this process, which never begins again.
final class Collected<T extends KnownSize> extends DoFn<TimestampedValue<T>, Void> {
  private static final AtomicLong NUMBER = new AtomicLong();
  private static final Map<Long, Queue<TimestampedValue<? extends KnownSize>>> ALL =
      new ConcurrentHashMap<>();

  private final long number = NUMBER.incrementAndGet();

  Collected() {
    ALL.put(number, new ConcurrentLinkedQueue<>());
  }

  @ProcessElement
  public void process(@Element TimestampedValue<T> result) {
    ALL.get(number).add(result);
  }

  /// The results; those of one key are in the order in which they came.
  @SuppressWarnings("unchecked")
  List<TimestampedValue<KnownSize>> results() {
    return (List<TimestampedValue<KnownSize>>) (List<?>) List.copyOf(ALL.get(number));
  }
}
