package dev.millrace.examples.beam;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Duration;

/// Joins what members saw with what they applied for, visit by visit. A visit ends when a member
/// has done nothing for half an hour, in none of the streams.
final class Visits {
  private static final Duration PAUSE = Duration.standardMinutes(30);
  private static final TupleTag<String> PAGES = new TupleTag<>("pages");
  private static final TupleTag<String> JOBS = new TupleTag<>("jobs");

  private Visits() {}

  /// Returns lines of the begin of a visit, the member, the pages and the jobs, both in the order
  /// of the alphabet.
  ///
  /// @param views pages by members
  /// @param applications jobs by members
  static PCollection<String> of(
      PCollection<KV<String, String>> views, PCollection<KV<String, String>> applications) {
    return KeyedPCollectionTuple.of(PAGES, views.apply("VisitOfView", sessions()))
        .and(JOBS, applications.apply("VisitOfApplication", sessions()))
        .apply(CoGroupByKey.create())
        .apply(ParDo.of(new Line()));
  }

  private static Window<KV<String, String>> sessions() {
    return Window.into(Sessions.withGapDuration(PAUSE));
  }

  private static final class Line extends DoFn<KV<String, CoGbkResult>, String> {
    @ProcessElement
    public void process(
        @Element KV<String, CoGbkResult> member, IntervalWindow visit, OutputReceiver<String> out) {
      CoGbkResult done = member.getValue();
      out.output(
          "%s,%s,%s,%s"
              .formatted(
                  visit.start(),
                  member.getKey(),
                  sorted(done.getAll(PAGES)),
                  sorted(done.getAll(JOBS))));
    }

    private static String sorted(Iterable<String> all) {
      List<String> list = new ArrayList<>();
      all.forEach(list::add);
      Collections.sort(list);
      return String.join(" ", list);
    }
  }
}
