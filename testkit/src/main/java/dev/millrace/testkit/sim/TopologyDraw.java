package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Draws a topology in which every result is determined by the input, whatever the order in which
/// tasks get on. Where several tasks feed a key, running sums are not: nothing is built on those.
final class TopologyDraw {
  private static final int MOST_EXCHANGES = 4;
  private static final int MOST_TRIES = 40;

  private final Seed seed;
  private final List<Op> ops = new ArrayList<>();
  private final List<Traits> traits = new ArrayList<>();
  private int exchanges;

  /// What is known of the records of an operator.
  ///
  /// @param keyed whether they have keys
  /// @param ordered whether the order of each key's records is determined
  /// @param determined whether the records themselves are
  /// @param ownKey whether the key is the item's
  /// @param level how many exchanges lie before it
  /// @param partitions of the topic it comes from; -1 behind an exchange
  /// @param late whether they may be late
  /// @param corrected whether some are taken back
  /// @param table whether that may be at any time, and their event times are not determined
  /// @param entries whether they are the entries of one table
  record Traits(
      boolean keyed,
      boolean ordered,
      boolean determined,
      boolean ownKey,
      int level,
      int partitions,
      boolean late,
      boolean corrected,
      boolean table,
      boolean entries) {}

  private TopologyDraw(Seed seed) {
    this.seed = seed;
  }

  /// An operator and what is known of it.
  record Known(Op op, Traits traits) {}

  static List<Known> draw(Seed seed) {
    TopologyDraw draw = new TopologyDraw(seed);
    draw.sources();
    int wanted = seed.between(3, 8);
    for (int tries = 0; tries < MOST_TRIES && wanted > 0; tries++) {
      wanted -= draw.addOne() ? 1 : 0;
    }
    draw.sinks();
    return IntStream.range(0, draw.ops.size())
        .mapToObj(i -> new Known(draw.ops.get(i), draw.traits.get(i)))
        .toList();
  }

  private boolean add(@Nullable Op op, Traits ofOp) {
    if (op != null) {
      ops.add(op);
      traits.add(ofOp);
    }
    return op != null;
  }

  private void sources() {
    int topics = seed.between(1, 3);
    for (int i = 0; i < topics; i++) {
      int partitions = seed.between(1, 3);
      boolean keyed = seed.chance(0.7);
      int disorder = seed.coin() ? 0 : seed.below(6_000);
      boolean late = disorder > 0 && seed.coin();
      add(
          new Op.FromTopic("in-" + i, partitions, keyed, disorder, late),
          new Traits(keyed, keyed, true, keyed, 0, partitions, late, false, false, false));
    }
  }

  private boolean addOne() {
    int from = seed.below(ops.size());
    Traits in = traits.get(from);
    if (!in.determined()) {
      return false;
    }
    Traits dropped =
        new Traits(
            false,
            false,
            true,
            false,
            in.level(),
            in.partitions(),
            in.late(),
            in.corrected(),
            in.table(),
            false);
    return switch (seed.below(18)) {
      case 0 -> add(new Op.Filter(from, seed.between(2, 5)), in);
      case 1 -> in.keyed() && add(new Op.MapValues(from, seed.below(20)), in);
      case 2 -> add(new Op.Map(from), dropped);
      case 3 -> add(new Op.FlatMap(from), dropped);
      case 4 -> merge(from, in);
      case 5, 6 -> stateful(from, in, 0);
      case 7 -> stateful(from, in, 1);
      case 8 -> stateful(from, in, 2);
      case 9, 10, 11 -> stateful(from, in, 4);
      case 12, 13 -> join(from, in);
      case 14 -> joinTables(from, in);
      case 15 -> joinForeign(from, in);
      case 16 -> together(from, in);
      default -> stateful(from, in, 3);
    };
  }

  private boolean merge(int from, Traits in) {
    int other = seed.below(ops.size());
    Traits second = traits.get(other);
    boolean fits =
        other != from
            && second.determined()
            && second.level() == in.level()
            && second.keyed() == in.keyed()
            && (!in.keyed() || (in.partitions() > 0 && in.partitions() == second.partitions()));
    return fits
        && add(
            new Op.Merge(from, other),
            new Traits(
                in.keyed(),
                false,
                true,
                in.ownKey() && second.ownKey(),
                in.level(),
                in.partitions(),
                in.late() || second.late(),
                in.corrected() || second.corrected(),
                in.table() || second.table(),
                false));
  }

  private Op.Shape shape(boolean sessions) {
    int every = 1_000 * seed.between(1, 20);
    return switch (seed.below(sessions ? 7 : 3)) {
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
    int other = seed.below(ops.size());
    Traits second = traits.get(other);
    boolean fits =
        second.determined()
            && in.keyed()
            && second.keyed()
            && !in.table()
            && !second.table()
            && second.level() == in.level()
            && in.partitions() == second.partitions();
    int before = 500 * (seed.below(8) - 2);
    int after = 500 * seed.below(8) + Math.max(0, -before);
    boolean late = in.late() || second.late() || in.corrected() || second.corrected();
    return fits
        && add(
            new Op.Join(from, other, before, after, kept(3), late),
            new Traits(
                true,
                false,
                true,
                in.ownKey() && second.ownKey(),
                in.level(),
                in.partitions(),
                late,
                late,
                false,
                false));
  }

  private boolean together(int from, Traits in) {
    int other = seed.below(ops.size());
    Traits second = traits.get(other);
    boolean fits =
        other != from
            && second.determined()
            && in.keyed()
            && second.keyed()
            && !in.table()
            && !second.table()
            && second.level() == in.level()
            && in.partitions() == second.partitions();
    boolean late = in.late() || second.late() || in.corrected() || second.corrected();
    return fits
        && add(
            new Op.Together(from, other, shape(true), late),
            new Traits(
                true, false, true, true, in.level(), in.partitions(), late, late, false, false));
  }

  private Op.Firing firing(Op.Shape shape) {
    return switch (seed.below(4)) {
      case 0 -> Op.Firing.ONLY_FINAL;
      case 1 -> shape.cut() == Op.Cut.REGULAR ? Op.Firing.EARLY : Op.Firing.AT_END;
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

  private boolean joinTables(int from, Traits in) {
    int other = seed.below(ops.size());
    Traits second = traits.get(other);
    boolean fits =
        in.entries()
            && second.entries()
            && second.level() == in.level()
            && in.partitions() == second.partitions();
    return fits && add(new Op.JoinTables(from, other, kept(3)), in);
  }

  private boolean joinForeign(int from, Traits in) {
    int other = seed.below(ops.size());
    Traits second = traits.get(other);
    boolean fits =
        in.entries()
            && second.entries()
            && second.level() == in.level() + 1
            && second.partitions() < 0
            && exchanges + 2 <= MOST_EXCHANGES;
    if (!fits) {
      return false;
    }
    exchanges += 2;
    int modulo = ops.get(other) instanceof Op.Table(_, Op.By by) ? by.modulo() : 0;
    return add(
        new Op.JoinForeign(from, other, modulo, kept(2)),
        new Traits(
            true,
            false,
            true,
            false,
            in.level() + 2,
            -1,
            in.late() || second.late(),
            true,
            true,
            true));
  }

  private boolean stateful(int from, Traits in, int kind) {
    boolean through = !in.keyed() || seed.coin();
    Op.By by = new Op.By(through, through && seed.coin() ? seed.between(2, 9) : 0);
    int needed = (through ? 1 : 0) + (kind == 2 ? 1 : 0);
    boolean late = in.late() || in.corrected();
    boolean impossible =
        (kind == 0 && in.corrected()) || (kind == 3 && late) || (kind < 4 && in.table());
    if (impossible || exchanges + needed > MOST_EXCHANGES) {
      return false;
    }
    exchanges += needed;
    boolean ordered = in.ordered() && (!through || (by.modulo() == 0 && in.ownKey()));
    int level = in.level() + needed;
    int partitions = through ? -1 : in.partitions();
    boolean corrected = late && (kind == 1 || kind == 2);
    Traits results =
        new Traits(true, !late, true, true, level, partitions, late, corrected, false, false);
    return switch (kind) {
      case 0 ->
          add(
              new Op.Sum(from, by),
              new Traits(
                  true,
                  ordered,
                  ordered,
                  in.ownKey() && by.modulo() == 0,
                  level,
                  partitions,
                  late,
                  false,
                  false,
                  false));
      case 1 -> windowed(from, by, results);
      case 2 ->
          add(
              new Op.Top(from, by, shape(false), seed.between(1, 4), late),
              new Traits(false, false, true, false, level, -1, late, corrected, false, false));
      case 4 ->
          add(
              new Op.Table(from, by),
              new Traits(true, false, true, false, level, partitions, late, true, true, true));
      default -> add(new Op.Bucketed(from, by), results);
    };
  }

  /// @param results what is known of windows' results that come when these end
  private boolean windowed(int from, Op.By by, Traits results) {
    Op.Shape shape = shape(true);
    Op.Firing firing = firing(shape);
    boolean sums = seed.coin();
    boolean ofFinal = firing == Op.Firing.ONLY_FINAL;
    boolean changes = !ofFinal && (results.corrected() || firing == Op.Firing.EARLY);
    return add(
        new Op.Windowed(from, by, shape, sums, firing, results.late()),
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

  /// Everything that nobody uses is written, and some of the rest.
  private void sinks() {
    boolean[] used = new boolean[ops.size()];
    for (Op op : ops) {
      for (int input : inputs(op)) {
        used[input] = true;
      }
    }
    for (int i = 0; i < used.length; i++) {
      if (!used[i] || seed.chance(0.15)) {
        add(
            new Op.ToTopic(i, "out-" + i, seed.between(1, 3), traits.get(i).corrected()),
            traits.get(i));
      }
    }
  }

  static List<Integer> inputs(Op op) {
    return switch (op) {
      case Op.FromTopic _ -> List.of();
      case Op.Filter(int from, _) -> List.of(from);
      case Op.MapValues(int from, _) -> List.of(from);
      case Op.Map(int from) -> List.of(from);
      case Op.FlatMap(int from) -> List.of(from);
      case Op.Merge(int from, int other) -> List.of(from, other);
      case Op.Sum(int from, _) -> List.of(from);
      case Op.Table(int from, _) -> List.of(from);
      case Op.Join join -> List.of(join.from(), join.other());
      case Op.Together(int from, int other, _, _) -> List.of(from, other);
      case Op.JoinTables(int from, int other, _) -> List.of(from, other);
      case Op.JoinForeign join -> List.of(join.from(), join.other());
      case Op.Windowed(int from, _, _, _, _, _) -> List.of(from);
      case Op.Top(int from, _, _, _, _) -> List.of(from);
      case Op.Bucketed(int from, _) -> List.of(from);
      case Op.ToTopic(int from, _, _, _) -> List.of(from);
    };
  }
}
