package dev.millrace.benchmarks.localstate;

import dev.millrace.benchmarks.scenarios.Check;
import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.ExpectedCounts;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// One answer for each id that occurs, with how often it does.
final class ExpectedAnswers implements Check.Expected {
  private final ExpectedCounts counts;

  ExpectedAnswers(int[] counts, long asked) {
    this.counts = new ExpectedCounts(counts, asked, false);
  }

  @Override
  public long records() {
    return counts.records();
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    counts.accept(Event.toLong(record.value(), 0), Event.toLong(record.value(), Long.BYTES));
  }

  @Override
  public void finish() {
    counts.finish();
  }
}
