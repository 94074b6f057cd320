package dev.millrace.internal.engine.input;

import dev.millrace.api.connector.Start;
import dev.millrace.internal.engine.commit.CannotBeginException;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.TableWaits;
import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.internal.engine.sources.ReadPartitions;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Says where the inputs of a task begin.
public final class TaskInputs {
  private final Plan plan;
  private final ReadPartitions partitions;
  private final Sources sources;
  private final Log log;
  private final Clock clock;
  private final boolean direct;
  private final @Nullable Start fallback;

  /// @param partitions which are read of each stream
  /// @param direct whether exchanges go through memory
  /// @param fallback where an input begins of which the topology does not say it; null if it has to
  public TaskInputs(
      Plan plan,
      ReadPartitions partitions,
      Sources sources,
      Log log,
      Clock clock,
      boolean direct,
      @Nullable Start fallback) {
    this.plan = plan;
    this.partitions = partitions;
    this.sources = sources;
    this.log = log;
    this.clock = clock;
    this.direct = direct;
    this.fallback = fallback;
  }

  /// Returns the inputs of a task as a commit left them. What the plan reads since then is new, and
  /// so are partitions that were added; what it does not read any more is left out.
  public List<TaskInput> restore(Plan.TaskId task, CommitRecord record) {
    List<TaskInput> inputs = new ArrayList<>();
    Set<Split> read = new HashSet<>();
    for (CommitRecord.Input input : record.inputs()) {
      Plan.Input planned = planned(task, input.split());
      if (planned == null) {
        continue; // parked
      }
      read.add(input.split());
      if (planned.exchange() == null && bounded(planned) != input.end() >= 0) {
        throw new CannotBeginException(
            "Application '%s' has read %s as %s input before, but now describes it as %s input. Describe it as before, or give the application another name."
                .formatted(
                    plan.application(),
                    input.split(),
                    input.end() >= 0 ? "bounded" : "unbounded",
                    input.end() >= 0 ? "unbounded" : "bounded"));
      }
      TaskInput restored = TaskInput.restore(input, planned, upstreamTasks(planned));
      if (planned.exchange() != null && direct) {
        restored.direct(offsets(input.split()).end());
      }
      if (restored.clock().idleness().was()
          && offsets(input.split()).stableEnd() <= restored.position().offset()) {
        restored.clock().idleness().still();
      }
      inputs.add(restored);
    }
    int restored = inputs.size();
    addOthers(task, read, inputs);
    inputs.forEach(each -> each.of(record.keys()));
    requireMultiples(task, read);
    if (inputs.size() > restored && record.watermark() == InputTime.ENDED) {
      throw new CannotBeginException(
          "Application '%s' has reached the end of all its inputs, so its results are final, but now it also reads '%s'. Give the application another name, to process all inputs from the beginning."
              .formatted(plan.application(), inputs.getLast().split().stream()));
    }
    return told(task, inputs);
  }

  /// A key that lay in an added partition may be in one with a smaller number after the next
  /// addition, unless that was a multiple.
  private void requireMultiples(Plan.TaskId task, Set<Split> read) {
    for (Plan.Input input : stage(task).inputs()) {
      long splits = read.stream().filter(each -> each.stream().equals(input.stream())).count();
      int before = input.broadcast() ? (int) splits : (int) splits * input.partitions();
      int now = partitions.of(input);
      if (before > 0 && now > before && !stage(task).canRead(input, before, now)) {
        throw new CannotBeginException(
            "Topic '%s' had %d partitions when task %s read it last, and has %d now, which is no multiple: its keys belong to other partitions. If no record was written to the new ones, give it %d. %s"
                .formatted(
                    input.stream(),
                    before,
                    task,
                    now,
                    (now / before + 1) * before,
                    InputPartitions.wayOut(plan.application())));
      }
    }
  }

  private Plan.@Nullable Input planned(Plan.TaskId task, Split split) {
    for (Plan.Input input : stage(task).inputs()) {
      if (input.stream().equals(split.stream())) {
        return input;
      }
    }
    return null;
  }

  private Plan.Stage stage(Plan.TaskId task) {
    return plan.stage(task.stage());
  }

  /// As they are before the first commit.
  public List<TaskInput> create(Plan.TaskId task) {
    List<TaskInput> inputs = new ArrayList<>();
    addOthers(task, new HashSet<>(), inputs);
    return told(task, inputs);
  }

  /// Returns the inputs of a task for partitions that were added to its streams since it began.
  /// They are read when those are read from which their keys come.
  ///
  /// @param inputs that it has
  public List<TaskInput> added(Plan.TaskId task, List<TaskInput> inputs) {
    Set<Split> read = new HashSet<>();
    inputs.forEach(each -> read.add(each.split()));
    List<TaskInput> all = new ArrayList<>(inputs);
    addOthers(task, read, all);
    List<TaskInput> added = List.copyOf(all.subList(inputs.size(), all.size()));
    KeyShare keys = inputs.isEmpty() ? KeyShare.ALL : inputs.getFirst().keys();
    added.forEach(each -> each.of(keys));
    told(task, added).forEach(each -> each.order().waitFor(before(each, all)));
    return added;
  }

  /// Adds the inputs that were not read, as they are before the first commit.
  private void addOthers(Plan.TaskId task, Set<Split> read, List<TaskInput> inputs) {
    for (Plan.Input planned : stage(task).inputs()) {
      boolean all = planned.broadcast();
      int step = all ? 1 : planned.partitions();
      int first = all ? 0 : task.partition();
      for (int i = first; first < planned.partitions() && i < partitions.of(planned); i += step) {
        Split split = new Split(planned.stream(), i);
        if (!read.contains(split)) {
          inputs.add(create(split, planned));
        }
      }
    }
  }

  /// Returns what is read before an input of a partition that was added and never read: the others
  /// of its stream with smaller numbers, to where they end now. Its keys lay there before, so what
  /// lies there is older.
  private List<TaskInput> before(TaskInput input, List<TaskInput> inputs) {
    List<TaskInput> before = new ArrayList<>();
    if (input.isAdded() && !input.wasRead()) {
      for (TaskInput other : inputs) {
        Split split = other.split();
        if (split.stream().equals(input.split().stream())
            && split.partition() < input.split().partition()) {
          before.add(other);
        }
      }
      Map<Split, Log.Offsets> ends = offsets(before.stream().map(TaskInput::split).toList());
      before.forEach(each -> each.order().await(of(ends, each.split()).end()));
    }
    return before;
  }

  private List<TaskInput> told(Plan.TaskId task, List<TaskInput> inputs) {
    if (!stage(task).stores().isEmpty()) {
      inputs.forEach(TaskInput::forState);
    }
    return inputs;
  }

  /// How many tasks the plan has that feed an input; 0 for a source.
  private int upstreamTasks(Plan.Input planned) {
    Plan.Exchange exchange = planned.exchange();
    return exchange == null ? 0 : plan.stage(exchange.fromStage()).partitions();
  }

  private TaskInput create(Split split, Plan.Input planned) {
    Log.Offsets offsets = offsets(split);
    Plan.Exchange exchange = planned.exchange();
    if (exchange == null) {
      boolean added = split.partition() >= planned.partitions();
      Position start = Position.of(added ? offsets.start() : startOffset(split, planned, offsets));
      // Of what is undecided some may be committed already, its marker under way.
      return TaskInput.create(split, planned, start, bounded(planned) ? offsets.end() : -1, 0);
    }
    TaskInput input =
        TaskInput.create(split, planned, Position.of(offsets.start()), -1, upstreamTasks(planned));
    return direct ? input.direct(offsets.end()) : input;
  }

  /// Lets streams wait for the tables that they are joined with, as far as these go now, and added
  /// partitions for those before them. What others have open at the end of a table's topic may stay
  /// so for long: nobody waits for it, unless it belongs to a bounded input. An exchange has none
  /// but the application's own.
  ///
  /// @return null if nothing waits for tables
  public @Nullable TableGate gate(Plan.TaskId task, List<TaskInput> inputs) {
    TableWaits waits = TableWaits.of(stage(task));
    Map<TaskInput, String> awaited = new LinkedHashMap<>();
    Map<String, List<String>> undecided = new LinkedHashMap<>();
    for (TaskInput input : inputs) {
      String table = waits.table(input.split().stream());
      if (table != null && !input.ended()) {
        Log.Offsets offsets = offsets(input.split());
        long end = input.order().await(input.isExchange() ? offsets.end() : offsets.stableEnd());
        if (end > offsets.stableEnd() && !input.isExchange()) {
          undecided
              .computeIfAbsent(table, _ -> new ArrayList<>())
              .addAll(openTransactions(input.split()));
        }
        awaited.put(input, table);
      }
    }
    for (TaskInput input : inputs) {
      Set<String> tables = waits.before(input.split().stream());
      List<TaskInput> before = before(input, inputs);
      inputs.stream().filter(each -> tables.contains(each.split().stream())).forEach(before::add);
      input.order().waitFor(before);
    }
    return awaited.keySet().stream().anyMatch(table -> table.order().awaited() > 0)
        ? new TableGate(task.toString(), awaited, undecided, clock.nanos())
        : null;
  }

  private List<String> openTransactions(Split split) {
    return log.openTransactions(split).stream()
        .map(open ->
            "'%s' in %s from offset %d"
                .formatted(open.transactionalId(), split, open.firstOffset()))
        .toList();
  }

  /// The ends of a split. Those of an exchange of one's own do not grow while it is direct: whoever
  /// else may have written there is barred by now.
  private Log.Offsets offsets(Split split) {
    return of(offsets(List.of(split)), split);
  }

  /// The same of several splits of a stream, with one question.
  private Map<Split, Log.Offsets> offsets(List<Split> splits) {
    return sources.of(splits.getFirst().stream(), log).offsets(splits);
  }

  private static Log.Offsets of(Map<Split, Log.Offsets> offsets, Split split) {
    return Objects.requireNonNull(offsets.get(split), split.toString());
  }

  private static boolean bounded(Plan.Input planned) {
    for (Node head : planned.heads()) {
      if (head instanceof Node.Input input && input.source().bounded()) {
        return true;
      }
    }
    return false;
  }

  private long startOffset(Split split, Plan.Input planned, Log.Offsets offsets) {
    Long given = plan.starts().get(split);
    if (given != null) {
      return given;
    }
    return switch (start(planned)) {
      case Start.Earliest earliest -> offsets.start();
      case Start.Latest latest -> offsets.stableEnd();
      case Start.At(var time) ->
          Objects.requireNonNull(
              sources.of(split.stream(), log).offsetsAt(List.of(split), time).get(split));
    };
  }

  private Start start(Plan.Input planned) {
    Start said = planned.start();
    if (said != null) {
      return said;
    }
    if (fallback == null) {
      throw new CannotBeginException(
          "Application '%s' reads '%s' for the first time, and no start is configured."
                  .formatted(plan.application(), planned.stream())
              + " Add .startAtEarliest() to the source, or set input.start (--start) to"
              + " earliest, latest or a time.");
    }
    return fallback;
  }
}
