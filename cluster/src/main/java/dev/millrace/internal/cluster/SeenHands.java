package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.live.Report;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hands whose reports are taken once for each step of a member, unless it has asked something of
/// them in between: most of what a member does that has nothing to do is to look how far they are.
final class SeenHands implements Hands {
  private final Hands hands;
  private @Nullable List<Report> seen;

  SeenHands(Hands hands) {
    this.hands = hands;
  }

  /// Has the next call of [#reports] look again.
  void lookAgain() {
    seen = null;
  }

  @Override
  public void take(int bundle, long version, boolean force) {
    lookAgain();
    hands.take(bundle, version, force);
  }

  @Override
  public void give(int bundle) {
    lookAgain();
    hands.give(bundle);
  }

  @Override
  public void follow(int bundle) {
    lookAgain();
    hands.follow(bundle);
  }

  @Override
  public void knows(int part, int parent) {
    lookAgain();
    hands.knows(part, parent);
  }

  @Override
  public String whyNotSplit(int bundle) {
    return hands.whyNotSplit(bundle);
  }

  @Override
  public int addBundle(int least) {
    return hands.addBundle(least);
  }

  @Override
  public void split(int bundle, int part) {
    lookAgain();
    hands.split(bundle, part);
  }

  @Override
  public void forget(int bundle) {
    lookAgain();
    hands.forget(bundle);
  }

  @Override
  public List<Report> reports() {
    List<Report> reports = seen;
    if (reports == null) {
      reports = hands.reports();
      seen = reports;
    }
    return reports;
  }
}
