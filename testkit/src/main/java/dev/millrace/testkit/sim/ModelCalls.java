package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/// Runs calls to other systems by and by, in whatever order.
final class ModelCalls implements Executor {
  private final Seed seed;
  private final List<Runnable> begun = new ArrayList<>();

  ModelCalls(Seed seed) {
    this.seed = seed;
  }

  @Override
  public void execute(Runnable call) {
    begun.add(call);
  }

  /// Perhaps one of them comes to its end.
  void step() {
    if (!begun.isEmpty() && seed.coin()) {
      begun.remove(seed.below(begun.size())).run();
    }
  }
}
