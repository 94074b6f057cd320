package dev.millrace.internal.engine.commit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The two queues between a commit group and one member: all that they share, apart from what is
/// documented as thread-safe.
///
/// A roll-back starts a new attempt. Reports of an earlier attempt say nothing about the present
/// one: they are passed over.
public final class Mailbox {
  private record Stamped(int attempt, Report report) {}

  private final Queue<Order> orders = new ConcurrentLinkedQueue<>();
  private final Queue<Stamped> reports = new ConcurrentLinkedQueue<>();
  private int groupAttempt;
  private int memberAttempt;
  private final Runnable reported;
  private volatile Runnable wakeup = () -> {};

  /// @param reported is run when there is a report; thread-safe
  Mailbox(Runnable reported) {
    this.reported = reported;
  }

  /// For the group.
  void order(Order order) {
    if (order instanceof Order.RollBack) {
      groupAttempt++;
    }
    orders.add(order);
    wakeup.run();
  }

  /// Whether there is a report, of whatever attempt. For the group.
  boolean hasReport() {
    return !reports.isEmpty();
  }

  /// The next report of the present attempt; null if there is none. For the group.
  @Nullable Report report() {
    for (Stamped next = reports.poll(); next != null; next = reports.poll()) {
      if (next.attempt == groupAttempt) {
        return next.report;
      }
      next.report.release();
    }
    return null;
  }

  /// What ends a wait of the member for something else when an order comes; thread-safe. For the
  /// member.
  public void wakeup(Runnable newWakeup) {
    wakeup = newWakeup;
  }

  /// The next order; null if there is none. For the member.
  public @Nullable Order nextOrder() {
    Order order = orders.poll();
    if (order instanceof Order.RollBack) {
      memberAttempt++;
    }
    return order;
  }

  /// Tells the group something. For the member.
  public void tell(Report report) {
    reports.add(new Stamped(memberAttempt, report));
    reported.run();
  }
}
