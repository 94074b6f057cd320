package dev.millrace.internal.engine.chain;

import dev.millrace.internal.engine.topology.Node;
import java.util.List;

/// A [Run] as a step: one loop over the rows, in code that was made for it.
final class RunStep extends Step {
  private final Run run;
  private final List<String> names;
  private final Loop loop;
  private final int[] numbers;
  private final Rows out = new Rows();

  /// The operator of the run that the loop has come to, or how many there are while it decodes a
  /// value for the first; tells who failed, and which one takes its time. Where the JIT makes one
  /// piece of code of several, it may tell a neighbour.
  int at;

  /// How many rows each filter has let through but the last; written by the loop at its end.
  final int[] passed;

  /// The code of a run, the same for all tasks.
  interface Loop {
    /// Sends each row through the operators.
    ///
    /// @param step to be told where the loop stands
    /// @param out gets what is left, unless all is
    void apply(RunStep step, Rows rows, Rows out);
  }

  /// @param names of the operators
  /// @param numbers of the same; see [Chains#operators]
  RunStep(List<String> names, int[] numbers, Place place, Run run, Loop loop) {
    super(names.getFirst(), place);
    number(numbers[0], numbers[numbers.length - 1]);
    this.names = names;
    this.numbers = numbers;
    passed = new int[numbers.length];
    this.run = run;
    this.loop = loop;
  }

  @Override
  String where() {
    return at < names.size() ? names.get(at) : names.getFirst();
  }

  @Override
  int numberAtWork() {
    int now = at;
    return now < numbers.length ? numbers[now] : Rows.DECODING;
  }

  @Override
  void apply(Rows rows) {
    at = 0;
    if (run.decodes() == null) {
      rows.values();
    }
    switch (run.gives()) {
      case ALL -> {
        loop.apply(this, rows, rows);
        count(rows, rows);
        forward(rows);
      }
      case SELECTED -> {
        out.startSelected(rows);
        loop.apply(this, rows, out);
        count(rows, out);
        forward(out);
      }
      case MADE -> {
        out.startMade(rows);
        loop.apply(this, rows, out);
        count(rows, out);
        forward(out);
      }
    }
  }

  /// Counts rows between the operators.
  private void count(Rows in, Rows left) {
    int now = in.size();
    int lastFilter = run.lastFilter();
    for (int i = 0; i < numbers.length - 1; i++) {
      if (i == lastFilter) {
        now = left.size();
      } else if (run.nodes().get(i) instanceof Node.Filter) {
        now = passed[i];
      }
      place().probe.gave(numbers[i], now);
      place().probe.took(numbers[i + 1], now);
    }
  }
}
