package dev.millrace.benchmarks.containers;

/// What is measured, in this order.
public enum Rows {
  KILL,
  OTHERS,
  HANDOVER,
  SPLIT,
  RECOVERY,
  RESTARTS,
  ROLLING,
  IDLE,
  SCALE,
  PEER;

  /// Returns what plays it.
  RowPlay play() {
    return switch (this) {
      case KILL -> new KillRow();
      case OTHERS -> new OthersRow();
      case HANDOVER -> new HandoverRow();
      case SPLIT -> new SplitRow();
      case RECOVERY -> new RecoveryRow();
      case RESTARTS -> new RestartsRow();
      case ROLLING -> new RollingRow();
      case IDLE -> new IdleRow();
      case SCALE -> new ScaleRow();
      case PEER -> new PeerRow();
    };
  }
}
