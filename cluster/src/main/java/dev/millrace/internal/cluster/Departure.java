package dev.millrace.internal.cluster;

import java.time.Duration;

/// How a member goes: it has others take over its bundles while it goes on with them, as far as
/// they are ready soon; then it lets go of what it has left, and says goodbye.
///
/// Has no thread: [#step] is called again and again, beside those of the member and of the
/// coordinator. Used by one thread.
public final class Departure {
  private final Member member;
  private final Coordinator coordinator;
  private Duration handOver = Duration.ZERO;
  private long begunNanos;
  private boolean begun;
  private boolean going;

  public Departure(Member member, Coordinator coordinator) {
    this.member = member;
    this.coordinator = coordinator;
  }

  /// Begins to let go of everything; [#isDone] says when that is done.
  ///
  /// @param newHandOver how long others may take until they are ready
  /// @param nowNanos on the clock of this process
  public void begin(Duration newHandOver, long nowNanos) {
    if (!begun) {
      begun = true;
      begunNanos = nowNanos;
      handOver = newHandOver;
      if (handOver.isPositive()) {
        member.stop();
      }
      step(nowNanos);
    }
  }

  /// Goes on as far as possible.
  ///
  /// @param nowNanos on the clock of this process
  public void step(long nowNanos) {
    if (begun && !going && !waits(Duration.ofNanos(nowNanos - begunNanos))) {
      going = true;
      coordinator.resign();
      member.sayGoodbye(true);
    }
  }

  /// Whether others may be ready yet: half of the time is for somebody to decide who gets any of
  /// the bundles.
  private boolean waits(Duration waited) {
    return waited.compareTo(member.isHandingOver() ? handOver : handOver.dividedBy(2)) < 0
        && !member.isIdle()
        && coordinator.hasOthers();
  }

  /// Returns whether nothing is handed over any more: what is left is let go of.
  public boolean isGoing() {
    return going;
  }

  /// Returns whether this member has let go of everything, and everybody can know that.
  public boolean isDone() {
    return member.hasSaidGoodbye() && !coordinator.isLeading();
  }
}
