package dev.millrace.internal.cluster.decide;

/// That somebody wants a bundle to be split.
///
/// @param refusal why that is not done, in words for people; empty while it was not decided
public record SplitRequest(String refusal) {
  /// What was not decided yet.
  static final SplitRequest OPEN = new SplitRequest("");

  /// Returns whether it was not decided yet whether the bundle is split.
  public boolean isOpen() {
    return refusal.isEmpty();
  }
}
