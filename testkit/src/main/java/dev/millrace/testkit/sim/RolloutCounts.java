package dev.millrace.testkit.sim;

/// What happened in a run, so that a test can see that it was not nothing.
final class RolloutCounts {
  int changes;
  int changesWhileOpen;
  int refused;
  int returns;
  int finalized;
  int rolledBack;

  @Override
  public String toString() {
    return "%d changes, %d while another was open, %d refused, %d returns, %d finalized, %d rolled back"
        .formatted(changes, changesWhileOpen, refused, returns, finalized, rolledBack);
  }

  void add(RolloutCounts other) {
    changes += other.changes;
    changesWhileOpen += other.changesWhileOpen;
    refused += other.refused;
    returns += other.returns;
    finalized += other.finalized;
    rolledBack += other.rolledBack;
  }
}
