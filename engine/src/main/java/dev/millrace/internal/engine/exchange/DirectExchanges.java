package dev.millrace.internal.engine.exchange;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// The exchanges of a job that has all its tasks in one container, in memory: a queue ([Lane]) from
/// each worker to each, to which a worker's [DirectPort] leads. None if exchanges are topics.
///
/// The same bytes go through a queue as would through the topic. At a commit every queue is drained
/// up to the barrier in it before the receiver hands over its part, so nothing is under way in a
/// state that is committed, and the positions of sources are all there is to commit.
///
/// An exchange is open if all that receive from it take what comes. Who feeds one that is not open
/// takes no records.
public final class DirectExchanges {
  /// What one worker may have under way in one exchange at most.
  private static final long MOST_BYTES = 4L << 20;

  private final List<Plan.Exchange> exchanges;
  private final long shareBytes;
  private final Allowance allowance;

  /// The worker of each task.
  private final int[] workers;

  private final List<List<Integer>> senders = new ArrayList<>();
  private final List<List<Integer>> receivers = new ArrayList<>();
  private final Lane[][] lanes;
  private final List<DirectPort> ports = new ArrayList<>();

  /// By exchange and receiving worker: 1 if it is open there.
  private final AtomicIntegerArray open;

  /// @param outboxBytes the memory that a worker has for what leaves its tasks
  public DirectExchanges(Plan plan, Placement placement, long outboxBytes) {
    exchanges = placement.groups() == Placement.Groups.DIRECT ? plan.exchanges() : List.of();
    shareBytes = Math.min(MOST_BYTES, outboxBytes / 2 / Math.max(1, exchanges.size()));
    allowance = new Allowance(shareBytes);
    List<List<Plan.TaskId>> tasks = placement.tasks(plan);
    workers = new int[plan.slots()];
    for (int worker = 0; worker < tasks.size(); worker++) {
      for (Plan.TaskId task : tasks.get(worker)) {
        workers[task.number()] = worker;
      }
    }
    for (Plan.Exchange exchange : exchanges) {
      senders.add(workersOf(plan.stage(exchange.fromStage())));
      receivers.add(workersOf(plan.stage(exchange.toStage())));
    }
    lanes = new Lane[tasks.size()][tasks.size()];
    for (int from = 0; from < tasks.size(); from++) {
      for (int to = 0; to < tasks.size(); to++) {
        lanes[from][to] = new Lane(exchangesBetween(from, to));
      }
    }
    open = new AtomicIntegerArray(exchanges.size() * tasks.size());
    for (int worker = 0; worker < tasks.size(); worker++) {
      ports.add(new DirectPort(this, plan, worker));
    }
  }

  private List<Integer> workersOf(Plan.Stage stage) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < stage.partitions(); i++) {
      int worker = workers[stage.firstTask() + i];
      if (!found.contains(worker)) {
        found.add(worker);
      }
    }
    return found;
  }

  private int exchangesBetween(int from, int to) {
    int count = 0;
    for (int exchange = 0; exchange < exchanges.size(); exchange++) {
      if (senders.get(exchange).contains(from) && receivers.get(exchange).contains(to)) {
        count++;
      }
    }
    return count;
  }

  /// Where a worker sends and receives.
  public DirectPort port(int worker) {
    return ports.get(worker);
  }

  /// What of a worker's memory for what leaves its tasks is not for these exchanges.
  public long otherBytes(long outboxBytes) {
    return outboxBytes - shareBytes * exchanges.size();
  }

  List<Plan.Exchange> exchanges() {
    return exchanges;
  }

  long shareBytes() {
    return shareBytes;
  }

  Allowance allowance() {
    return allowance;
  }

  int workers() {
    return lanes.length;
  }

  int workerOf(int task) {
    return workers[task];
  }

  List<Integer> senders(int exchange) {
    return senders.get(exchange);
  }

  List<Integer> receivers(int exchange) {
    return receivers.get(exchange);
  }

  Lane lane(int from, int to) {
    return lanes[from][to];
  }

  boolean isOpen(int exchange) {
    List<Integer> all = receivers.get(exchange);
    for (int i = 0, count = all.size(); i < count; i++) {
      if (open.get(exchange * workers() + all.get(i)) == 0) {
        return false;
      }
    }
    return true;
  }

  void open(int exchange, int worker, boolean isOpen) {
    int index = exchange * workers() + worker;
    int value = isOpen ? 1 : 0;
    if (open.get(index) != value) {
      open.set(index, value);
    }
  }
}
