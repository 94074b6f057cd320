package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Draws a topology in which every result is determined by the input, whatever the order in which
/// tasks get on. Where several tasks feed a key, running sums are not: nothing is built on those.
final class TopologyDraw {
  private static final int MOST_EXCHANGES = 3;
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
  record Traits(
      boolean keyed,
      boolean ordered,
      boolean determined,
      boolean ownKey,
      int level,
      int partitions) {}

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
      add(
          new Op.FromTopic("in-" + i, partitions, keyed, disorder),
          new Traits(keyed, keyed, true, keyed, 0, partitions));
    }
  }

  private boolean addOne() {
    int from = seed.below(ops.size());
    Traits in = traits.get(from);
    if (!in.determined()) {
      return false;
    }
    Traits dropped = new Traits(false, false, true, false, in.level(), in.partitions());
    return switch (seed.below(10)) {
      case 0 -> add(new Op.Filter(from, seed.between(2, 5)), in);
      case 1 -> in.keyed() && add(new Op.MapValues(from, seed.below(20)), in);
      case 2 -> add(new Op.Map(from), dropped);
      case 3 -> add(new Op.FlatMap(from), dropped);
      case 4 -> merge(from, in);
      case 5, 6 -> stateful(from, in, 0);
      case 7 -> stateful(from, in, 1);
      case 8 -> stateful(from, in, 2);
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
                in.partitions()));
  }

  private boolean stateful(int from, Traits in, int kind) {
    boolean through = !in.keyed() || seed.coin();
    Op.By by = new Op.By(through, through && seed.coin() ? seed.between(2, 9) : 0);
    int needed = (through ? 1 : 0) + (kind == 2 ? 1 : 0);
    if (exchanges + needed > MOST_EXCHANGES) {
      return false;
    }
    exchanges += needed;
    boolean ordered = in.ordered() && (!through || (by.modulo() == 0 && in.ownKey()));
    int level = in.level() + needed;
    int partitions = through ? -1 : in.partitions();
    int millis = 1_000 * seed.between(1, 20);
    Traits results = new Traits(true, true, true, true, level, partitions);
    return switch (kind) {
      case 0 ->
          add(
              new Op.Sum(from, by),
              new Traits(
                  true, ordered, ordered, in.ownKey() && by.modulo() == 0, level, partitions));
      case 1 -> add(new Op.Windowed(from, by, millis, seed.coin()), results);
      case 2 ->
          add(
              new Op.Top(from, by, millis, seed.between(1, 4)),
              new Traits(false, false, true, false, level, -1));
      default -> add(new Op.Bucketed(from, by), results);
    };
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
        add(new Op.ToTopic(i, "out-" + i, seed.between(1, 3)), traits.get(i));
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
      case Op.Windowed(int from, _, _, _) -> List.of(from);
      case Op.Top(int from, _, _, _) -> List.of(from);
      case Op.Bucketed(int from, _) -> List.of(from);
      case Op.ToTopic(int from, _, _) -> List.of(from);
    };
  }
}
