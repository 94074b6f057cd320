package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// When which container is crashed, and how.
///
/// @param crashes in the order of their steps
public record CrashSchedule(List<Crash> crashes) {
  /// Behind this step nothing is crashed any more, so that every run comes to its end.
  static final int CALM_AFTER = 40_000;

  static final int REPLACED_STEPS = 50;

  /// How much a disk that runs full still takes, in units of this.
  static final int FULL_BYTES = 200;

  /// How long it is full, in units of this.
  static final int FULL_STEPS = 50;

  /// Which of the containers there are is meant is this number's remainder.
  private static final int MOST_CONTAINERS = 6;

  /// Under one seed in so many, disks run full.
  private static final int SEEDS_A_FULL_DISK = 8;

  /// After how many steps one does.
  private static final int FILLED_EVERY = 150;

  /// Under how many of the seeds nothing is crashed behind an early step: a restart ends what
  /// hangs, so that it is not seen while there is always one to come.
  private static final double SOON_CALM = 0.3;

  private static final int SOON = 2_000;

  /// How often who is asked to stop is killed before it has.
  private static final double KILLED_STOPPING = 0.7;

  /// How many steps later at most.
  private static final int STOPPING = 10;

  /// How a container is crashed.
  public enum Kind {
    /// Its process ends; what it wrote to its disk stays.
    KILLED,
    /// Its host ends; what was not synced is lost or torn.
    POWER_LOST,
    /// Its process ends in one of the next operations on its disk, if it gets that far.
    KILLED_IN_DISK,
    /// It stands still, is started on another host, and wakes up later.
    REPLACED,
    /// Somebody starts it a second time while it runs, on the same host or on another one.
    STARTED_TWICE,
    /// It is asked to stop, and started again when it has.
    STOPPED,
    /// All are asked to stop, and as many others as drawn are started, with other workers.
    REDISTRIBUTED,
    /// The time of day of its host is set to another, up to ten days off.
    CLOCK_SET,
    /// All are killed.
    ALL_KILLED,
    /// The next operations on its disk fail.
    DISK_FAILS,
    /// Its disk is full for a while.
    DISK_FULL,
    /// A bit of what is on its disk is inverted.
    DISK_WORN
  }

  /// @param step of the simulation
  /// @param container its number; the remainder if there are fewer
  /// @param amount how many operations on the disk it still gets, if it is killed in one; how long
  ///   it stands still, in units of [#REPLACED_STEPS], if it is replaced; else which of the ways to
  ///   do it is meant
  /// @param downSteps after how many steps it is started again
  public record Crash(long step, int container, Kind kind, int amount, int downSteps) {
    private Crash killedLater(int steps) {
      return new Crash(step + steps, container, Kind.KILLED, amount, downSteps);
    }

    @Override
    public String toString() {
      String how =
          switch (kind) {
            case KILLED -> "is killed";
            case POWER_LOST -> "loses power";
            case REPLACED -> "stops for " + amount * REPLACED_STEPS + " steps and is replaced";
            case KILLED_IN_DISK -> "is killed in operation " + amount + " of its disk from there";
            case STARTED_TWICE -> "is started twice, in variant " + amount;
            case STOPPED -> "is stopped";
            case REDISTRIBUTED -> "and all others are replaced by shape " + amount;
            case ALL_KILLED -> "and all others are killed";
            case DISK_FAILS -> "has " + amount + " operations on its disk fail";
            case DISK_FULL ->
                "has a disk that is full after %d bytes, for %d steps"
                    .formatted((amount - 1) * FULL_BYTES, downSteps * FULL_STEPS);
            case DISK_WORN -> "has a bit on its disk inverted, in variant " + amount;
            case CLOCK_SET -> "has its clock set, in variant " + amount;
          };
      return "at step %d container %d %s, and is started again %d steps later"
          .formatted(step, container, how, downSteps);
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          Kind.KILLED,
          Kind.KILLED,
          Kind.POWER_LOST,
          Kind.POWER_LOST,
          Kind.KILLED_IN_DISK,
          Kind.KILLED_IN_DISK,
          Kind.KILLED_IN_DISK,
          Kind.REPLACED,
          Kind.REPLACED,
          Kind.STARTED_TWICE,
          Kind.STOPPED,
          Kind.REDISTRIBUTED,
          Kind.CLOCK_SET,
          Kind.ALL_KILLED,
          Kind.DISK_FAILS,
          Kind.DISK_WORN);

  public CrashSchedule {
    crashes = List.copyOf(crashes);
  }

  /// No crash at all.
  public static CrashSchedule none() {
    return new CrashSchedule(List.of());
  }

  /// A schedule drawn from a seed.
  ///
  /// @param chance of a crash at a step
  public static CrashSchedule drawn(Seed seed, double chance) {
    Seed draws = seed.fork("crashes");
    Seed ends = seed.fork("ends");
    boolean full = seed.value() % SEEDS_A_FULL_DISK == 5;
    List<Crash> crashes = new ArrayList<>();
    for (int step = 1; step <= CALM_AFTER; step++) {
      boolean fills = full && step % FILLED_EVERY == 1;
      if (fills || draws.chance(chance)) {
        Kind kind = fills ? Kind.DISK_FULL : draws.pick(KINDS);
        Crash crash =
            new Crash(
                step,
                draws.below(MOST_CONTAINERS),
                kind,
                draws.between(1, 20),
                draws.between(1, 40));
        crashes.add(crash);
        if (kind == Kind.STOPPED && ends.chance(KILLED_STOPPING)) {
          crashes.add(crash.killedLater(ends.between(1, STOPPING)));
        }
      }
    }
    crashes.sort(Comparator.comparingLong(Crash::step));
    Seed calm = seed.fork("calm");
    long last = calm.chance(SOON_CALM) ? calm.below(SOON) : CALM_AFTER;
    return new CrashSchedule(crashes).until(last);
  }

  /// The same without one crash.
  CrashSchedule without(int index) {
    List<Crash> fewer = new ArrayList<>(crashes);
    fewer.remove(index);
    return new CrashSchedule(fewer);
  }

  /// The first few crashes only.
  CrashSchedule first(int most) {
    return new CrashSchedule(crashes.subList(0, Math.min(most, crashes.size())));
  }

  /// Only the crashes up to a step.
  CrashSchedule until(long step) {
    return new CrashSchedule(crashes.stream().filter(crash -> crash.step() <= step).toList());
  }
}
