package dev.millrace.engine.chain;

import java.util.List;

/// A [Run] as a step: one loop over the rows, in code that was made for it.
final class RunStep extends Step {
  private final Run run;
  private final List<String> names;
  private final Loop loop;
  private final Rows out = new Rows();

  /// The operator of the run that the loop has come to; tells who failed.
  int at;

  /// The code of a run, the same for all tasks.
  interface Loop {
    /// Sends each row through the operators.
    ///
    /// @param step to be told where the loop stands
    /// @param out gets what is left, unless all is
    void apply(RunStep step, Rows rows, Rows out);
  }

  /// @param names of the operators
  RunStep(List<String> names, Place place, Run run, Loop loop) {
    super(names.getFirst(), place);
    this.names = names;
    this.run = run;
    this.loop = loop;
  }

  @Override
  String where() {
    return names.get(at);
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
        forward(rows);
      }
      case SELECTED -> {
        out.startSelected(rows);
        loop.apply(this, rows, out);
        forward(out);
      }
      case MADE -> {
        out.startMade(rows);
        loop.apply(this, rows, out);
        forward(out);
      }
    }
  }
}
