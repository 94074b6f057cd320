package dev.millrace.testkit.sim;

import dev.millrace.api.Call;
import dev.millrace.testkit.KeyPool;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.sim.Sketch.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Draws a topology in which every result is determined by the input, whatever the order in which
/// tasks get on. Where several tasks feed a key, running sums are not: nothing is built on those.
///
/// Everything that is drawn has a stream of its own, so what is added here changes few topologies.
final class TopologyDraw {
  private static final int MOST_EXCHANGES = 4;
  private static final int MOST_TRIES = 40;
  private static final int KEYS = 10;

  private final Seed topology;
  private final boolean mayFail;
  private final List<Kind> kinds;
  private final long tickMillis;
  private final List<Op> ops = new ArrayList<>();
  private final List<Traits> traits = new ArrayList<>();
  private int exchanges;

  /// Whether what meets just now may have come through other exchanges, or have other partitions.
  private boolean across;

  /// For what is tried just now.
  private Seed seed;

  private TopologyDraw(Seed topology, boolean mayFail, List<Kind> besides) {
    this.topology = topology;
    this.mayFail = mayFail;
    seed = topology;
    kinds = Kind.some(topology);
    kinds.addAll(besides);
    if (besides.contains(Kind.ACROSS)) {
      kinds.remove(Kind.MERGE); // its sides are not moved
    }
    Seed ticks = topology.fork("ticks");
    tickMillis = ticks.chance(0.2) ? 250L * ticks.between(1, 12) : 0;
  }

  /// @param mayFail whether there may be results that cannot be told
  /// @param besides kinds that it may have besides those that are drawn for it
  static Sketch draw(Seed topology, boolean mayFail, List<Kind> besides) {
    TopologyDraw draw = new TopologyDraw(topology, mayFail, besides);
    draw.sources();
    int wanted = topology.fork("size").between(3, 7);
    for (int tries = 0; tries < MOST_TRIES && wanted > 0; tries++) {
      Seed attempt = topology.fork("try " + tries);
      Kind kind = Kind.drawn(draw.kinds, attempt);
      draw.seed = attempt.fork(kind.name());
      wanted -= draw.addOne(kind) ? 1 : 0;
    }
    draw.sinks();
    List<Op.Cut> cuts = draw.ops.stream().map(Op.Cut::of).toList();
    return new Sketch(
        IntStream.range(0, draw.ops.size())
            .mapToObj(i -> new Known(draw.ops.get(i), draw.traits.get(i)))
            .toList(),
        draw.tickMillis,
        Era.drawn(topology.fork("era"), cuts),
        KeyPool.drawn(topology.fork("keys"), KEYS));
  }

  private boolean add(Op op, Traits ofOp) {
    ops.add(op);
    return traits.add(ofOp);
  }

  private void sources() {
    int topics = topology.fork("topics").between(1, 3);
    for (int i = 0; i < topics; i++) {
      String name = "in-" + i;
      seed = topology.fork(name);
      int partitions = seed.between(1, 3);
      boolean keyed = seed.chance(0.7);
      int disorder = seed.coin() ? 0 : seed.below(6_000);
      // Where there are ticks the times of late items are chance.
      Op.Time time =
          disorder > 0 && seed.coin() && tickMillis == 0 ? Op.Time.UNKNOWN : Op.Time.BOUNDED;
      Seed marks = topology.fork("marks in " + name);
      if (marks.chance(0.15)) {
        time = Op.Time.MARKED;
        disorder = marks.between(1, 15_000);
      }
      Op.FromTopic topic = new Op.FromTopic(name, partitions, keyed, disorder, time);
      add(topic, Traits.ofTopic(topic));
    }
  }

  private boolean addOne(Kind kind) {
    int from = seed.below(ops.size());
    Traits in = traits.get(from);
    if (!in.determined()) {
      return false;
    }
    return switch (kind) {
      case FILTER -> add(new Op.Filter(from, seed.between(2, 5)), in);
      case MAP_VALUES -> in.keyed() && add(new Op.MapValues(from, seed.below(20)), in);
      case MAP -> add(new Op.Map(from), in.withoutKeys());
      case FLAT_MAP -> add(new Op.FlatMap(from), in.withoutKeys());
      case MERGE -> merge(from, in);
      case JOIN -> join(from, in);
      case JOIN_AS_OF -> joinAsOf(from, in);
      case JOIN_TABLES -> joinTables();
      case JOIN_FOREIGN -> joinForeign();
      case TOPIC_TABLE -> topicTable();
      case ACROSS -> across(from, in);
      case TOGETHER -> together(from, in);
      case BRANCH -> branch(from, in);
      case SAMPLE ->
          add(
              new Op.Sample(from, 10 * seed.between(3, 9), !in.keyed() || seed.coin()),
              in.asStream());
      case ASK -> ask(from, in);
      case SUM, WINDOWED, TOP, TABLE, BUCKETED, DEDUPLICATE, GROUP, DELAYED, COUNTED ->
          stateful(from, in, kind);
    };
  }

  /// A topic that is read as a table, whatever else it is read as.
  private boolean topicTable() {
    int from = pick(i -> ops.get(i) instanceof Op.FromTopic topic && topic.keyed());
    return from >= 0 && add(new Op.TopicTable(from), traits.get(from).asTable());
  }

  private boolean across(int from, Traits in) {
    if (exchanges + 1 > MOST_EXCHANGES) {
      return false;
    }
    across = true;
    boolean added =
        switch (seed.below(6)) {
          case 0 -> join(from, in);
          case 1 -> together(from, in);
          case 2 -> joinTables();
          default -> joinForeign();
        };
    across = false;
    exchanges += added ? 1 : 0;
    return added;
  }

  private boolean meets(Traits in, Traits other) {
    return in.meets(other) && (across || in.isBeside(other));
  }

  private boolean branch(int from, Traits in) {
    int modulo = seed.between(2, 4);
    return add(new Op.Branch(from, modulo), in.asStream())
        && add(new Op.Rest(from, modulo), in.asStream());
  }

  private boolean ask(int from, Traits in) {
    Op.Way way = seed.pick(List.of(Op.Way.values()));
    Call.Order order = seed.pick(List.of(Call.Order.values()));
    Op.Trouble trouble = seed.pick(List.of(Op.Trouble.values()));
    return !in.corrected()
        && !in.table()
        && add(
            new Op.Ask(from, way, order, trouble, seed.between(1, 8), seed.chance(0.3)),
            order == Call.Order.NONE ? in.unordered() : in);
  }

  /// Draws an operator of those that fit; -1 if none does.
  private int pick(IntPredicate fits) {
    int[] those = IntStream.range(0, ops.size()).filter(fits).toArray();
    return those.length == 0 ? -1 : those[seed.below(those.length)];
  }

  private boolean merge(int from, Traits in) {
    int other =
        pick(i -> {
          Traits second = traits.get(i);
          return i != from
              && second.determined()
              && second.level() == in.level()
              && second.keyed() == in.keyed()
              && (!in.keyed() || (in.partitions() > 0 && in.partitions() == second.partitions()));
        });
    return other >= 0 && add(new Op.Merge(from, other), in.with(traits.get(other)));
  }

  private Op.Shape windowShape(boolean ofKeys) {
    Seed dates = seed.fork("dates");
    if (dates.chance(0.15)) {
      Op.Cut cut = dates.chance(0.7) ? Op.Cut.DAYS : Op.Cut.MONTHS;
      Seed longer = seed.fork("longer dates");
      return new Op.Shape(
          !longer.chance(0.35) ? cut : longer.coin() ? Op.Cut.WEEKS : Op.Cut.YEARS, 0, 0);
    }
    int every = 1_000 * seed.between(1, 20);
    return switch (seed.below(ofKeys ? 7 : 3)) {
      case 0, 1 -> new Op.Shape(every, every);
      case 2 -> {
        int step = 1_000 * seed.between(1, 5);
        yield new Op.Shape(step * seed.between(2, 4) + 250 * seed.below(3), step);
      }
      case 3, 4 -> new Op.Shape(Op.Cut.SESSIONS, 500 * seed.between(1, 8), 0);
      case 5 -> new Op.Shape(Op.Cut.SLIDING, 500 * seed.between(1, 8), 0);
      default -> new Op.Shape(Op.Cut.TOLD, 1_000 * seed.between(1, 4), 0);
    };
  }

  private boolean join(int from, Traits in) {
    boolean paired = isPaired(from);
    int other = pick(i -> meets(in, traits.get(i)) && !(paired && isPaired(i)));
    if (other < 0) {
      return false;
    }
    int before = 500 * (seed.below(8) - 2);
    int after = 500 * seed.below(8) + Math.max(0, -before);
    Traits both = in.with(traits.get(other));
    return add(
        new Op.Join(from, other, before, after, kept(3), both.changing()),
        both.changing(both.changing()));
  }

  private boolean joinAsOf(int from, Traits in) {
    int other = pick(i -> meets(in, traits.get(i)));
    if (other < 0) {
      return false;
    }
    int millis = 1_000 * seed.between(1, 10);
    int modulo = seed.coin() ? 0 : seed.between(2, 4);
    Traits both = in.with(traits.get(other));
    return add(
        new Op.JoinAsOf(from, other, millis, modulo, kept(2), both.changing()),
        both.changing(both.changing()));
  }

  /// Whether records are pairs, of which there may be many.
  private boolean isPaired(int op) {
    return ops.get(op) instanceof Op.Join || ops.get(op).inputs().stream().anyMatch(this::isPaired);
  }

  private boolean together(int from, Traits in) {
    int other = pick(i -> i != from && meets(in, traits.get(i)));
    if (other < 0) {
      return false;
    }
    Traits both = in.with(traits.get(other));
    boolean late = both.changing();
    return add(
        new Op.Together(from, other, windowShape(true), late),
        new Traits(
            true, false, true, true, both.level(), both.partitions(), late, late, false, false));
  }

  private Op.Firing firing(Op.Shape shape) {
    return switch (seed.below(4)) {
      case 0 -> Op.Firing.ONLY_FINAL;
      case 1 -> shape.aligned() ? Op.Firing.EARLY : Op.Firing.AT_END;
      default -> Op.Firing.AT_END;
    };
  }

  private Op.Kept kept(int kinds) {
    return switch (seed.below(kinds)) {
      case 0 -> Op.Kept.NONE;
      case 1 -> Op.Kept.LEFT;
      default -> Op.Kept.BOTH;
    };
  }

  private boolean joinTables() {
    int from = pick(i -> traits.get(i).entries());
    if (from < 0) {
      return false;
    }
    Traits in = traits.get(from);
    int other = pick(i -> traits.get(i).entries() && (across || in.isBeside(traits.get(i))));
    return add(new Op.JoinTables(from, other, kept(3)), in.with(traits.get(other)).asTable());
  }

  /// What refers to another table goes to it through an exchange, and back through another.
  private boolean joinForeign() {
    int from = pick(i -> traits.get(i).entries() && behind(traits.get(i)) >= 0);
    if (from < 0 || exchanges + 2 > MOST_EXCHANGES) {
      return false;
    }
    exchanges += 2;
    Traits in = traits.get(from);
    int other = behind(in);
    int modulo = ops.get(other) instanceof Op.Table(_, Op.By by) ? by.modulo() : 0;
    boolean late = in.late() || traits.get(other).late();
    return add(
        new Op.JoinForeign(from, other, modulo, kept(2)),
        new Traits(true, false, true, false, in.level() + 2, -1, late, true, true, true));
  }

  /// A table behind one exchange more, or any.
  private int behind(Traits in) {
    return pick(i ->
        traits.get(i).entries()
            && (across
                || (traits.get(i).level() == in.level() + 1 && traits.get(i).partitions() < 0)));
  }

  private boolean stateful(int from, Traits in, Kind kind) {
    boolean through = !in.keyed() || seed.coin();
    Op.By by = new Op.By(through, through && seed.coin() ? seed.between(2, 9) : 0);
    int needed = (through ? 1 : 0) + (kind == Kind.TOP ? 1 : 0);
    if (!takes(kind, in) || exchanges + needed > MOST_EXCHANGES) {
      return false;
    }
    exchanges += needed;
    boolean late = in.changing();
    boolean ordered = in.ordered() && (!through || (by.modulo() == 0 && in.ownKey()));
    int level = in.level() + needed;
    int partitions = through ? -1 : in.partitions();
    Traits results =
        new Traits(true, !late, true, true, level, partitions, late, late, false, false);
    Traits ofItems =
        new Traits(
            true,
            ordered,
            true,
            in.ownKey() && by.modulo() == 0,
            level,
            partitions,
            late,
            false,
            false,
            false);
    return switch (kind) {
      case SUM -> add(new Op.Sum(from, by), ofSums(ofItems));
      case WINDOWED -> windowed(from, by, results);
      case TOP -> {
        Seed ranked = seed.fork("groups");
        int groups = ranked.chance(0.4) ? ranked.between(1, 3) : 0;
        yield add(
            new Op.Top(from, by, windowShape(false), seed.between(1, 4), groups, late),
            new Traits(groups > 0, false, true, false, level, -1, late, late, false, false));
      }
      case TABLE ->
          add(
              new Op.Table(from, by),
              new Traits(true, false, true, false, level, partitions, late, true, true, true));
      case DEDUPLICATE -> deduplicate(from, by, ofItems);
      case GROUP -> add(new Op.Group(from, by), ofItems.asLate(in));
      case DELAYED ->
          add(new Op.Delayed(from, by, seed.between(2, 300)), ofItems.unordered().atAnyTime());
      case COUNTED -> counted(from, by, in, ofItems);
      default -> add(new Op.Bucketed(from, by), results);
    };
  }

  /// Whether what comes of records is determined.
  private boolean takes(Kind kind, Traits in) {
    return switch (kind) {
      case SUM -> !in.table() && !in.corrected();
      case TABLE -> true;
      case BUCKETED, DEDUPLICATE -> !in.table() && !in.changing();
      case DELAYED, COUNTED -> !in.corrected();
      default -> !in.table();
    };
  }

  /// @param items what is summed
  private Traits ofSums(Traits items) {
    boolean determined = items.ordered() || tickMillis > 0;
    return new Traits(
        true,
        determined,
        determined,
        items.ownKey() && tickMillis == 0,
        items.level(),
        items.partitions(),
        items.late(),
        false,
        false,
        false);
  }

  /// Of several items at one time the first counts; where that is chance they must be equal.
  private boolean deduplicate(int from, Op.By by, Traits items) {
    Op.Alike alike = items.ordered() ? seed.pick(List.of(Op.Alike.values())) : Op.Alike.EQUAL;
    int within = seed.coin() ? 250 * seed.between(1, 20) : 30_000;
    return add(
        new Op.Deduplicate(from, by, within, alike),
        new Traits(
            true,
            alike == Op.Alike.ALL,
            true,
            items.ownKey(),
            items.level(),
            items.partitions(),
            false,
            false,
            false,
            false));
  }

  /// What is in a window of some of the items follows from their order; when the last of them ends
  /// is known by the task alone.
  ///
  /// @param items what is counted
  private boolean counted(int from, Op.By by, Traits in, Traits items) {
    int most = seed.coin() ? 0 : seed.between(1, 6);
    boolean known = most == 0 || items.ordered();
    boolean early = seed.chance(0.3);
    return add(
        new Op.Counted(
            from, by, most, known && seed.coin(), known && !in.table(), early, seed.chance(0.3)),
        new Traits(
            true,
            items.ordered() && !early,
            true,
            true,
            items.level(),
            items.partitions(),
            items.late(),
            early,
            true,
            false));
  }

  /// @param results what is known of windows' results that come when these end
  private boolean windowed(int from, Op.By by, Traits results) {
    Op.Shape shape = windowShape(true);
    Op.Firing firing = firing(shape);
    boolean sums = seed.coin();
    boolean ofFinal = firing == Op.Firing.ONLY_FINAL;
    boolean changes = !ofFinal && (results.corrected() || firing == Op.Firing.EARLY);
    return add(
        new Op.Windowed(from, by, shape, sums, firing, results.late(), failing(firing, results)),
        new Traits(
            true,
            !changes && shape.cut() != Op.Cut.TOLD,
            true,
            true,
            results.level(),
            results.partitions(),
            results.late() && !ofFinal,
            changes,
            false,
            false));
  }

  /// Which results cannot be told, where each comes once and by itself. One that takes the place of
  /// another fails at a record, and which record that is, is chance.
  private int failing(Op.Firing firing, Traits results) {
    Seed fails = seed.fork("fails");
    boolean once = firing != Op.Firing.EARLY && !results.late();
    return mayFail && once && tickMillis == 0 && fails.chance(0.25) ? fails.between(3, 12) : 0;
  }

  /// Everything that nobody uses is written, and some of the rest.
  private void sinks() {
    boolean[] used = new boolean[ops.size()];
    for (Op op : ops) {
      for (int input : op.inputs()) {
        used[input] = true;
      }
    }
    for (int i = 0; i < used.length; i++) {
      seed = topology.fork("out-" + i);
      int partitions = seed.between(1, 3);
      if (!used[i] || seed.chance(0.15)) {
        Traits in = traits.get(i);
        Manner manner = Manner.drawn(topology.fork("manner of out-" + i), in);
        add(new Op.ToTopic(i, "out-" + i, partitions, in.corrected(), manner), manner.traits(in));
      }
    }
  }
}
