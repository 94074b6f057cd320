package dev.millrace.internal.engine.exchange;

import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.rest.Rest;
import dev.millrace.spi.RecordBatch;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Where one worker sends into the direct exchanges and receives from them. Used by that worker.
///
/// What it has under way in an exchange, not processed by those who receive it, is bounded. As that
/// is so for each exchange alone, and no plan has a circle, those at the end can always go on, and
/// so can all others in the end.
public final class DirectPort {
  private final DirectExchanges all;
  private final int worker;
  private final Plan plan;

  /// By exchange; null for one that the worker does not send into.
  private final @Nullable Outbox[] outboxes;

  /// By exchange: from how many workers its barrier has come.
  private final int[] barriers;

  private final IntConsumer barrierCame;

  /// By stage: whether its tasks may send more.
  private final boolean[] room;

  private int attempt;
  private final Rest rest = new Rest(this::hasMore);

  DirectPort(DirectExchanges all, Plan plan, int worker) {
    this.all = all;
    this.plan = plan;
    this.worker = worker;
    int exchanges = all.exchanges().size();
    outboxes = new Outbox[exchanges];
    for (int i = 0; i < exchanges; i++) {
      if (all.senders(i).contains(worker)) {
        Plan.Exchange exchange = all.exchanges().get(i);
        Outbox outbox = new Outbox(plan.changelogTopic(), all.shareBytes());
        outbox.add(exchange.topic(), exchange.partitions());
        outboxes[i] = outbox;
      }
    }
    barriers = new int[exchanges];
    barrierCame = exchange -> barriers[exchange]++;
    room = new boolean[plan.stageBound()];
    Arrays.fill(room, true);
  }

  /// Says what ends a wait for records early.
  public void wakeup(Runnable newWakeup) {
    rest.wakeup(newWakeup);
  }

  /// Whether exchanges are direct at all.
  public boolean isUsed() {
    return barriers.length > 0;
  }

  /// What goes into an exchange; null if it is a topic.
  public @Nullable Outbox outbox(Plan.Exchange exchange) {
    for (int i = 0; i < outboxes.length; i++) {
      if (all.exchanges().get(i).topic().equals(exchange.topic())) {
        return outboxes[i];
      }
    }
    return null;
  }

  /// Looks how much is under way, for [#haveRoom].
  public void look() {
    Arrays.fill(room, true);
    for (int i = 0; i < outboxes.length; i++) {
      Outbox outbox = outboxes[i];
      if (outbox != null && outbox.bytes() > all.allowance().bytes()) {
        all.allowance().reached();
        room[all.exchanges().get(i).fromStage()] = false;
      }
    }
  }

  /// Whether there is room for what tasks of a stage send.
  public boolean haveRoom(int stage) {
    return room[stage];
  }

  /// Whether some stage has no room.
  public boolean lacksRoom() {
    for (boolean each : room) {
      if (!each) {
        return true;
      }
    }
    return false;
  }

  /// Whether all that receive from tasks of a stage take what comes.
  public boolean isOpen(int stage) {
    for (int i = 0; i < outboxes.length; i++) {
      if (all.exchanges().get(i).fromStage() == stage && !all.isOpen(i)) {
        return false;
      }
    }
    return true;
  }

  /// Tells the others which exchanges are open as far as this worker is concerned.
  ///
  /// @param takes whether the worker's tasks of a stage take what comes
  public void open(IntPredicate takes) {
    for (int i = 0; i < barriers.length; i++) {
      int stage = all.exchanges().get(i).toStage();
      if (all.receivers(i).contains(worker)) {
        all.open(i, worker, takes.test(stage) && isOpen(stage));
      }
    }
  }

  /// Hands over the batches that are full; all of them if those that are not are too many.
  public boolean handOver() {
    boolean any = false;
    for (int i = 0; i < outboxes.length; i++) {
      Outbox outbox = outboxes[i];
      if (outbox != null) {
        boolean drains = outbox.openBytes() > all.allowance().bytes() / 2;
        any |= send(i, drains ? outbox.drain() : outbox.takeFull());
      }
    }
    return any;
  }

  /// Hands over all that is there.
  public boolean handOverAll() {
    boolean any = false;
    for (int i = 0; i < outboxes.length; i++) {
      any |= handOverAll(i);
    }
    return any;
  }

  private boolean handOverAll(int exchange) {
    Outbox outbox = outboxes[exchange];
    return outbox != null && send(exchange, outbox.drain());
  }

  private boolean send(int exchange, List<RecordBatch> batches) {
    int firstTask = plan.stage(all.exchanges().get(exchange).toStage()).firstTask();
    for (RecordBatch batch : batches) {
      int to = all.workerOf(firstTask + batch.split().partition());
      all.lane(worker, to).send(attempt, exchange, batch);
      all.port(to).rest.wake();
    }
    return !batches.isEmpty();
  }

  /// A commit begins.
  public void beginCommit() {
    if (isFirst()) {
      all.allowance().adapt();
    }
  }

  private boolean isFirst() {
    return worker == 0;
  }

  /// The worker's tasks of a stage stand at the barrier of a commit: it goes to all that they feed,
  /// behind all that they have sent.
  public void barrier(int stage) {
    for (int i = 0; i < outboxes.length; i++) {
      if (outboxes[i] != null && all.exchanges().get(i).fromStage() == stage) {
        handOverAll(i);
        for (int to : all.receivers(i)) {
          all.lane(worker, to).barrier(attempt, i);
          all.port(to).rest.wake();
        }
      }
    }
  }

  /// Takes in what has come, up to the barrier of a commit.
  ///
  /// @return whether anything has
  public boolean receive(Consumer<RecordBatch> to) {
    boolean any = false;
    for (int from = 0; from < all.workers() && isUsed(); from++) {
      any |= all.lane(from, worker).receive(attempt, to, barrierCame);
    }
    return any;
  }

  /// Whether the barrier of a commit has come from all that feed the worker's tasks of a stage.
  public boolean atBarrier(int stage) {
    for (int i = 0; i < barriers.length; i++) {
      if (all.exchanges().get(i).toStage() == stage
          && all.receivers(i).contains(worker)
          && barriers[i] < all.senders(i).size()) {
        return false;
      }
    }
    return true;
  }

  /// The worker's part of the commit is frozen: what lies behind the barrier may come.
  ///
  /// @param waitedNanos how long the commit had to wait for the worker
  public void passBarrier(long waitedNanos) {
    all.allowance().waited(waitedNanos);
    Arrays.fill(barriers, 0);
    for (int from = 0; from < all.workers(); from++) {
      all.lane(from, worker).passBarriers();
    }
  }

  /// Says that the worker is about to wait for records, and is to be woken by what comes here.
  ///
  /// @return false if something is there already
  public boolean waits() {
    if (!isUsed()) {
      return true;
    }
    return rest.begin();
  }

  private boolean hasMore() {
    for (int from = 0; from < all.workers(); from++) {
      if (all.lane(from, worker).hasMore()) {
        return true;
      }
    }
    return false;
  }

  /// Says that it does not wait any more.
  public void waited() {
    rest.end();
  }

  /// Drops all that is under way from here and to here, and starts a new attempt. Before all
  /// workers have done so nobody sends anew, and nothing is open.
  public void rollBack() {
    attempt++;
    if (isFirst()) {
      all.allowance().failed();
    }
    clear();
  }

  /// Drops all that is under way from here and to here.
  public void clear() {
    for (int i = 0; i < outboxes.length; i++) {
      Outbox outbox = outboxes[i];
      if (outbox != null) {
        outbox.clear();
      }
      all.open(i, worker, false);
    }
    Arrays.fill(barriers, 0);
    for (int from = 0; from < all.workers(); from++) {
      all.lane(from, worker).clear();
    }
  }
}
