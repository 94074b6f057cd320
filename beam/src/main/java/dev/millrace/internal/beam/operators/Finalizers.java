package dev.millrace.internal.beam.operators;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;
import org.joda.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What transforms want to have done once the commit has taken place to which their bundle belongs.
/// It is not kept: after a crash it is not done.
final class Finalizers implements BundleFinalizer {
  private static final Logger LOG = LoggerFactory.getLogger(Finalizers.class);

  private List<Wanted> next = new ArrayList<>();
  private List<Wanted> frozen = List.of();

  private record Wanted(Instant until, Callback callback) {}

  @Override
  public void afterBundleCommit(Instant until, Callback callback) {
    next.add(new Wanted(until, callback));
  }

  void beforeCommit() {
    List<Wanted> all = new ArrayList<>(frozen);
    all.addAll(next);
    frozen = all;
    next = new ArrayList<>();
  }

  void afterCommit() {
    List<Wanted> due = frozen;
    frozen = List.of();
    for (Wanted each : due) {
      if (each.until().isAfterNow()) {
        run(each);
      }
    }
  }

  private static void run(Wanted each) {
    try {
      each.callback().onBundleSuccess();
      // outermost: user code, whose failure changes nothing about what is committed
    } catch (Exception e) {
      LOG.warn("What was to be done after a commit has failed.", e);
    }
  }
}
