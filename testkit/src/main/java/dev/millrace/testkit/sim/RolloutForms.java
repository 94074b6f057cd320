package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The formats that values of [Rollouts] have in one version of the program after the other. Each
/// differs from the one before in another way; what is computed of the values is the same in all of
/// them.
@SuppressWarnings("SameNameButDifferent") // each version has records of the same names
final class RolloutForms {
  /// The list of a profile has so many parts.
  static final int MOST = 3;

  private RolloutForms() {}

  /// One visit of a user.
  interface Visit {
    String user();

    /// What it adds to a profile.
    long value();

    String text();
  }

  /// The visits of a user so far.
  interface Profile {
    String user();

    Profile plus(Visit visit);

    String text();
  }

  /// Makes a visit.
  @FunctionalInterface
  interface Visiting {
    Visit of(String user, int value, String text);
  }

  /// What a version of the program has for values.
  ///
  /// @param none the profile before the first visit
  record Form(Serde<Visit> visits, Serde<Profile> profiles, Visiting visit, Profile none) {}

  /// All versions, the first one first.
  static final List<Form> ALL =
      List.of(
          form(
              Serdes.record(First.Visited.class),
              Serdes.record(First.Seen.class),
              First.Visited::new,
              new First.Seen("", 0, 0, List.of())),
          form(
              Serdes.record(Added.Visited.class),
              Serdes.record(Added.Seen.class),
              (user, value, text) -> new Added.Visited(user, value, text, text, 1),
              new Added.Seen(null, "", 0, 0, List.of())),
          form(
              Serdes.record(Renamed.Visited.class),
              Serdes.record(Renamed.Seen.class),
              (user, value, text) -> new Renamed.Visited(user, value, text, text),
              new Renamed.Seen("", 0, 0, List.of(), null)),
          form(
              Serdes.record(Widened.Visited.class),
              Serdes.record(Widened.Seen.class),
              (user, value, text) -> new Widened.Visited(user, (long) value, text, text),
              new Widened.Seen("", 0, 0L, List.of(), null)),
          form(
              Serdes.version(2, Serdes.record(Migrated.Visited.class))
                  .from(
                      1,
                      Serdes.record(Widened.Visited.class),
                      Migrated.Visited::of,
                      Migrated.Visited::back),
              Serdes.version(2, Serdes.record(Migrated.Seen.class))
                  .from(
                      1, Serdes.record(Widened.Seen.class), Migrated.Seen::of, Migrated.Seen::back),
              (user, value, text) -> new Migrated.Visited(user, Migrated.Amount.of(value), text),
              new Migrated.Seen("", new Migrated.Sum(0, Migrated.Amount.of(0)), List.of())),
          form(
              Serdes.version(2, Serdes.record(Evolved.Visited.class))
                  .from(
                      1,
                      Serdes.record(Widened.Visited.class),
                      Evolved.Visited::of,
                      Evolved.Visited::back),
              Serdes.version(2, Serdes.record(Evolved.Seen.class))
                  .from(1, Serdes.record(Widened.Seen.class), Evolved.Seen::of, Evolved.Seen::back),
              (user, value, text) -> new Evolved.Visited(user, Evolved.Amount.of(value), text),
              new Evolved.Seen("", new Evolved.Sum(0L, Evolved.Amount.of(0)), List.of(), null)),
          form(
              Serdes.version(3, Serdes.record(Again.Visited.class))
                  .from(
                      2,
                      Serdes.record(Evolved.Visited.class),
                      old -> Again.Visited.of(old.back()),
                      visit -> Evolved.Visited.of(visit.back()))
                  .from(
                      1,
                      Serdes.record(Widened.Visited.class),
                      Again.Visited::of,
                      Again.Visited::back),
              Serdes.version(3, Serdes.record(Again.Seen.class))
                  .from(
                      2,
                      Serdes.record(Evolved.Seen.class),
                      old -> Again.Seen.of(old.back()),
                      profile -> Evolved.Seen.of(profile.back()))
                  .from(1, Serdes.record(Widened.Seen.class), Again.Seen::of, Again.Seen::back),
              (user, value, text) -> new Again.Visited(user + "/" + value + "/" + text),
              Again.Seen.of(new Widened.Seen("", 0, 0L, List.of(), null))));

  @SuppressWarnings("unchecked") // each version meets values of its own only
  private static Form form(
      Serde<? extends Visit> visits,
      Serde<? extends Profile> profiles,
      Visiting visit,
      Profile none) {
    return new Form((Serde<Visit>) visits, (Serde<Profile>) profiles, visit, none);
  }

  /// What is the same in all versions, and what an oracle of another kind knows.
  static String text(String user, @Nullable Object count, @Nullable Object sum, List<String> last) {
    return user + " " + count + " " + sum + " " + last;
  }

  private static <T> List<T> last(List<T> before, T part) {
    List<T> all = new ArrayList<>(before);
    all.add(part);
    return List.copyOf(all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  /// Where all versions begin.
  private static final class First {
    record Visited(String user, int weight, String tag) implements Visit {
      @Override
      public long value() {
        return weight;
      }

      @Override
      public String text() {
        return tag;
      }
    }

    record Part(String tag, int weight) {}

    record Seen(String user, int n, int sum, List<Part> last) implements Profile {
      @Override
      public Profile plus(Visit visit) {
        int value = (int) visit.value();
        return new Seen(
            visit.user(),
            n + 1,
            sum + value,
            RolloutForms.last(last, new Part(visit.text(), value)));
      }

      @Override
      public String text() {
        return RolloutForms.text(
            user, n, sum, last.stream().map(each -> each.tag + ":" + each.weight).toList());
      }
    }
  }

  /// Components are added, and one of them changes its place.
  private static final class Added {
    record Visited(String user, int weight, String tag, @Nullable String note, int more)
        implements Visit {
      @Override
      public long value() {
        return weight;
      }

      @Override
      public String text() {
        return tag;
      }
    }

    record Part(int weight, String tag, @Nullable String note) {}

    record Seen(@Nullable String note, String user, int n, int sum, List<Part> last)
        implements Profile {
      @Override
      public Profile plus(Visit visit) {
        int value = (int) visit.value();
        return new Seen(
            NOTE,
            visit.user(),
            n + 1,
            sum + value,
            RolloutForms.last(last, new Part(value, visit.text(), NOTE)));
      }

      @Override
      public String text() {
        return RolloutForms.text(
            user, n, sum, last.stream().map(each -> each.tag + ":" + each.weight).toList());
      }
    }
  }

  /// What was added in values that may be taken back.
  private static final @Nullable String NOTE = null;

  /// Components get other names, and one is removed.
  private static final class Renamed {
    record Visited(
        String user, @Was("weight") int points, @Was("tag") String label, @Nullable String note)
        implements Visit {
      @Override
      public long value() {
        return points;
      }

      @Override
      public String text() {
        return label;
      }
    }

    record Part(@Was("weight") int points, @Was("tag") String label) {}

    record Seen(
        String user,
        @Was("n") int count,
        @Was("sum") int total,
        @Was("last") List<Part> parts,
        @Nullable String note)
        implements Profile {
      @Override
      public Profile plus(Visit visit) {
        int value = (int) visit.value();
        return new Seen(
            visit.user(),
            count + 1,
            total + value,
            RolloutForms.last(parts, new Part(value, visit.text())),
            NOTE);
      }

      @Override
      public String text() {
        return RolloutForms.text(
            user,
            count,
            total,
            parts.stream().map(each -> each.label + ":" + each.points).toList());
      }
    }
  }

  /// Numbers get wider, or may be null.
  private static final class Widened {
    record Visited(
        String user,
        @Was("weight") @Nullable Long points,
        @Was("tag") String label,
        @Nullable String note)
        implements Visit {
      @Override
      public long value() {
        return Objects.requireNonNull(points, "points");
      }

      @Override
      public String text() {
        return label;
      }
    }

    record Part(@Was("weight") @Nullable Integer points, @Was("tag") String label) {}

    record Seen(
        String user,
        @Was("n") long count,
        @Was("sum") @Nullable Long total,
        @Was("last") List<Part> parts,
        @Nullable String note)
        implements Profile {
      @Override
      public Profile plus(Visit visit) {
        return new Seen(
            visit.user(),
            count + 1,
            Objects.requireNonNull(total, "total") + visit.value(),
            RolloutForms.last(parts, new Part((int) visit.value(), visit.text())),
            NOTE);
      }

      @Override
      public String text() {
        return RolloutForms.text(
            user,
            count,
            total,
            parts.stream().map(each -> each.label + ":" + each.points).toList());
      }
    }
  }

  /// Functions make other records of them, and back.
  private static final class Migrated {
    record Amount(long tens, int ones) {
      static Amount of(long number) {
        return new Amount(Math.floorDiv(number, 10), (int) Math.floorMod(number, 10L));
      }

      long number() {
        return tens * 10 + ones;
      }
    }

    record Visited(String user, Amount amount, String label) implements Visit {
      static Visited of(Widened.Visited old) {
        return new Visited(old.user, Amount.of(old.value()), old.label);
      }

      Widened.Visited back() {
        return new Widened.Visited(user, amount.number(), label, null);
      }

      @Override
      public long value() {
        return amount.number();
      }

      @Override
      public String text() {
        return label;
      }
    }

    record Sum(int count, Amount total) {}

    record Seen(String user, Sum sum, List<Widened.Part> parts) implements Profile {
      static Seen of(Widened.Seen old) {
        return new Seen(
            old.user,
            new Sum((int) old.count, Amount.of(Objects.requireNonNull(old.total))),
            old.parts);
      }

      Widened.Seen back() {
        return new Widened.Seen(user, sum.count, sum.total.number(), parts, null);
      }

      @Override
      public Profile plus(Visit visit) {
        return of((Widened.Seen) back().plus(visit));
      }

      @Override
      public String text() {
        return back().text();
      }
    }
  }

  /// The records of the migration evolve.
  private static final class Evolved {
    record Amount(@Was("tens") long decades, @Nullable Long ones) {
      static Amount of(long number) {
        return new Amount(Math.floorDiv(number, 10), Math.floorMod(number, 10L));
      }

      long number() {
        return decades * 10 + Objects.requireNonNull(ones, "ones");
      }
    }

    record Visited(String user, @Was("amount") Amount points, String label) implements Visit {
      static Visited of(Widened.Visited old) {
        return new Visited(old.user, Amount.of(old.value()), old.label);
      }

      Widened.Visited back() {
        return new Widened.Visited(user, points.number(), label, null);
      }

      @Override
      public long value() {
        return points.number();
      }

      @Override
      public String text() {
        return label;
      }
    }

    record Sum(@Was("count") long visits, Amount total) {}

    record Seen(String user, Sum sum, List<Widened.Part> parts, @Nullable String comment)
        implements Profile {
      static Seen of(Widened.Seen old) {
        return new Seen(
            old.user,
            new Sum(old.count, Amount.of(Objects.requireNonNull(old.total))),
            old.parts,
            null);
      }

      Widened.Seen back() {
        return new Widened.Seen(user, sum.visits, sum.total.number(), parts, null);
      }

      @Override
      public Profile plus(Visit visit) {
        return of((Widened.Seen) back().plus(visit));
      }

      @Override
      public String text() {
        return back().text();
      }
    }
  }

  /// Functions make other records of them once more.
  private static final class Again {
    /// @param all the user, the value and the text
    record Visited(String all) implements Visit {
      static Visited of(Widened.Visited old) {
        return new Visited(old.user + "/" + old.value() + "/" + old.label);
      }

      Widened.Visited back() {
        return new Widened.Visited(user(), value(), text(), null);
      }

      private String field(int index) {
        return all.split("/", -1)[index];
      }

      @Override
      public String user() {
        return field(0);
      }

      @Override
      public long value() {
        return Long.parseLong(field(1));
      }

      @Override
      public String text() {
        return field(2);
      }
    }

    /// @param numbers the count and the sum
    record Seen(String user, List<Long> numbers, String parts) implements Profile {
      static Seen of(Widened.Seen old) {
        return new Seen(
            old.user,
            List.of(old.count, Objects.requireNonNull(old.total)),
            old.parts.stream()
                .map(part -> part.label + ":" + part.points)
                .collect(Collectors.joining(",")));
      }

      Widened.Seen back() {
        List<Widened.Part> all = new ArrayList<>();
        for (String part : parts.isEmpty() ? new String[0] : parts.split(",", -1)) {
          String[] fields = part.split(":", -1);
          all.add(new Widened.Part(Integer.valueOf(fields[1]), fields[0]));
        }
        return new Widened.Seen(user, numbers.getFirst(), numbers.getLast(), all, null);
      }

      @Override
      public Profile plus(Visit visit) {
        return of((Widened.Seen) back().plus(visit));
      }

      @Override
      public String text() {
        return back().text();
      }
    }
  }
}
