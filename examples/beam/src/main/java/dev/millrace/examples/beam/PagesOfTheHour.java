package dev.millrace.examples.beam;

import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Values;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;

/// Counts how often each page was seen within an hour, every ten minutes: lines of the end of the
/// hour, the page and the number.
final class PagesOfTheHour
    extends PTransform<PCollection<KV<String, String>>, PCollection<String>> {
  private static final Duration HOUR = Duration.standardHours(1);
  private static final Duration EVERY = Duration.standardMinutes(10);

  @Override
  public PCollection<String> expand(PCollection<KV<String, String>> views) {
    return views
        .apply(Values.create())
        .apply(Window.into(SlidingWindows.of(HOUR).every(EVERY)))
        .apply(Count.perElement())
        .apply(ParDo.of(new Line()));
  }

  private static final class Line extends DoFn<KV<String, Long>, String> {
    @ProcessElement
    public void process(
        @Element KV<String, Long> page, IntervalWindow hour, OutputReceiver<String> out) {
      out.output("%s,%s,%d".formatted(hour.end(), page.getKey(), page.getValue()));
    }
  }
}
