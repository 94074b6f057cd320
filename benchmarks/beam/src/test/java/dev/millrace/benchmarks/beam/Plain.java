package dev.millrace.benchmarks.beam;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.NexmarkUtils;
import org.apache.beam.sdk.nexmark.model.BidsPerSession;
import org.apache.beam.sdk.nexmark.model.Done;
import org.apache.beam.sdk.nexmark.model.Event;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Instant;

/// Answers of the queries for which Beam has no model: plain loops over the events, which come in
/// the order of their times.
final class Plain {
  private Plain() {}

  /// The sessions of query 11, when a pane is never full: a bid belongs to the session of its
  /// bidder if it comes within the gap after the bid before it.
  static Map<String, Long> sessions(NexmarkConfiguration configuration) {
    Map<Long, Long> last = new HashMap<>();
    Map<Long, Long> bids = new HashMap<>();
    Map<String, Long> counted = new TreeMap<>();
    events(
        configuration,
        event -> {
          if (event.getValue().bid == null) {
            return;
          }
          long bidder = event.getValue().bid.bidder;
          long millis = event.getTimestamp().getMillis();
          Long before = last.put(bidder, millis);
          if (before != null && millis - before >= configuration.windowSizeSec * 1_000) {
            count(counted, new BidsPerSession(bidder, bids.remove(bidder)));
          }
          bids.merge(bidder, 1L, Long::sum);
        });
    bids.forEach((bidder, number) -> count(counted, new BidsPerSession(bidder, number)));
    return counted;
  }

  /// How many bids each bidder makes.
  static Map<Long, Long> bids(NexmarkConfiguration configuration) {
    Map<Long, Long> bids = new TreeMap<>();
    events(
        configuration,
        event -> {
          if (event.getValue().bid != null) {
            bids.merge(event.getValue().bid.bidder, 1L, Long::sum);
          }
        });
    return bids;
  }

  /// What query 10 says when it has written the files of a window, once each.
  static Map<String, Long> done(NexmarkConfiguration configuration) {
    Map<String, Long> windows = new TreeMap<>();
    long size = configuration.windowSizeSec * 1_000;
    events(
        configuration,
        event -> {
          long start = Math.floorDiv(event.getTimestamp().getMillis(), size) * size;
          Done done = new Done("written for timestamp " + Instant.ofEpochMilli(start + size - 1));
          windows.put(done.toString(), 1L);
        });
    return windows;
  }

  /// How often each event is there, with its time.
  static Map<String, Long> timed(Iterator<? extends TimestampedValue<?>> events) {
    Map<String, Long> counted = new TreeMap<>();
    events.forEachRemaining(event -> counted.merge(event.toString(), 1L, Long::sum));
    return counted;
  }

  private static void count(Map<String, Long> counted, BidsPerSession session) {
    counted.merge(session.toString(), 1L, Long::sum);
  }

  private static void events(
      NexmarkConfiguration configuration, Consumer<TimestampedValue<Event>> each) {
    NexmarkUtils.standardEventIterator(configuration).forEachRemaining(each);
  }
}
