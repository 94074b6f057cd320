package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.SplitDecision;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.cluster.place.Facts;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.cluster.view.PlacementView;
import dev.millrace.spi.LogException;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides which bundles are split, and when. Used by one thread.
///
/// A bundle that somebody wants to be split gets a part: a bundle with a number of its own, which
/// is placed like others. As soon as the part's owner has what it needs, the owner of the bundle is
/// told to split.
final class Splitter {
  private static final Logger LOG = LoggerFactory.getLogger(Splitter.class);

  private final Decisions decisions;
  private final Signs signs;
  private final Hands hands;
  private final HotBundles hot;

  Splitter(Decisions decisions, Signs signs, Hands hands, Policy policy) {
    this.decisions = decisions;
    this.signs = signs;
    this.hands = hands;
    hot = new HotBundles(policy);
  }

  /// Returns what is to be decided now. Waits for the log if a bundle gets a part.
  ///
  /// @param view makes one of what is decided and heard
  /// @throws dev.millrace.spi.LogException if the log cannot be reached
  SplitDecision next(Facts facts, Supplier<PlacementView> view, long nowNanos) {
    SortedMap<Integer, Part> parts = ready();
    SortedMap<Integer, String> refused = new TreeMap<>();
    SortedSet<Integer> granted = new TreeSet<>();
    decisions
        .splits()
        .forEach((bundle, request) -> {
          if (request.isOpen() && !isBeingSplit(bundle)) {
            String refusal = refusal(bundle, facts);
            if (refusal.isEmpty()) {
              refusal = add(bundle, facts, parts);
            }
            if (refusal.isEmpty()) {
              granted.add(bundle);
            } else {
              refused.put(bundle, refusal);
            }
          }
        });
    if (parts.isEmpty() && hot.isDue(nowNanos) && outdated().isEmpty()) {
      int bundle = hot.next(view.get(), each -> hands.whyNotSplit(each).isEmpty(), nowNanos);
      String refusal = bundle == HotBundles.NONE ? "" : add(bundle, facts, parts);
      if (!refusal.isEmpty()) {
        LOG.warn("Task {} is not split: {}", bundle, refusal);
      }
    }
    return new SplitDecision(parts, refused, granted);
  }

  /// Has a bundle get a part.
  ///
  /// @param parts takes it
  /// @return why the log does not take it; empty if it does
  private String add(int bundle, Facts facts, SortedMap<Integer, Part> parts) {
    int least = 0;
    for (Facts.Bundle each : facts.bundles()) {
      least = Math.max(least, each.number() + 1);
    }
    for (SortedMap<Integer, Part> given : List.of(decisions.parts(), parts)) {
      least = given.isEmpty() ? least : Math.max(least, given.lastKey() + 1);
    }
    try {
      parts.put(hands.addBundle(least), new Part(bundle, false));
      return "";
    } catch (LogException e) {
      if (e.kind() != LogException.Kind.REFUSED) {
        throw e;
      }
      return String.valueOf(e.getMessage());
    }
  }

  /// Returns why a bundle is not split; empty if it is.
  private String refusal(int bundle, Facts facts) {
    if (facts.bundles().stream().noneMatch(each -> each.number() == bundle)) {
      return "There is no such task.";
    }
    String outdated = outdated();
    return outdated.isEmpty()
        ? hands.whyNotSplit(bundle)
        : "Process %s runs an earlier version of Millrace, which does not know of tasks that were split. Replace it first."
            .formatted(outdated);
  }

  /// Returns the name of a member that lives and does not know of bundles that were split off;
  /// empty if all do.
  private String outdated() {
    return signs.members().stream()
        .filter(each -> signs.isLiving(each) && each.sign().self().mostFormat() < Part.FORMAT)
        .map(each -> each.sign().self().home())
        .findFirst()
        .orElse("");
  }

  /// The bundles that can be split off from others now, as who owns them has what they need, and
  /// has not been told.
  private SortedMap<Integer, Part> ready() {
    SortedMap<Integer, Part> ready = new TreeMap<>();
    decisions
        .parts()
        .forEach((number, part) -> {
          Report report = ofOwner(number);
          if (!part.ready() && report != null && report.awaitsSplit()) {
            ready.put(number, new Part(part.parent(), true));
          }
        });
    return ready;
  }

  /// Whether a bundle is one that is being split off, or one that another one is being split off
  /// from.
  private boolean isBeingSplit(int bundle) {
    return decisions.parts().entrySet().stream()
        .anyMatch(part ->
            (part.getKey() == bundle || part.getValue().parent() == bundle)
                && !isAtWork(part.getKey()));
  }

  private boolean isAtWork(int bundle) {
    Report report = ofOwner(bundle);
    return report != null && (report.state() == State.OWNER || report.state() == State.DONE);
  }

  private @Nullable Report ofOwner(int bundle) {
    Seat seat = decisions.seats().getOrDefault(bundle, Seat.EMPTY);
    Sign last = signs.isLiving(seat.owner()) ? signs.last(seat.owner()) : null;
    return last == null ? null : last.report(bundle);
  }
}
