package dev.millrace.testkit.mutants;

import dev.millrace.api.Call;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.VersionedSerde;
import dev.millrace.internal.engine.chain.TimedOperators;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.TaskClock;
import dev.millrace.internal.state.StateRestore;
import dev.millrace.spi.Disk;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjuster;
import java.time.temporal.TemporalAdjusters;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What planted bugs do instead of what is right; public, because they are planted everywhere.
@SuppressWarnings("unused") // called from class files that were changed
public final class Wrong {
  private static int turn;

  private Wrong() {}

  /// Instead of the element at an index.
  public static Object theFirst(Object list, int index) {
    return ((List<?>) list).getFirst();
  }

  public static Outcome unknownIsCommitted(Object writer) {
    return assumed(((TransactionalWriter) writer).outcome(), Outcome.UNKNOWN);
  }

  public static Outcome abortedIsCommitted(Object writer) {
    return assumed(((TransactionalWriter) writer).outcome(), Outcome.ABORTED);
  }

  public static Outcome fencedIsCommitted(Object writer) {
    return assumed(((TransactionalWriter) writer).outcome(), Outcome.FENCED);
  }

  public static int oneAtMost(Object batch) {
    return Math.min(1, ((RecordBatch) batch).size());
  }

  public static boolean yes(Object anything) {
    return true;
  }

  public static List<?> none(Object anything) {
    return List.of();
  }

  public static long far(Object state) {
    return Long.MAX_VALUE;
  }

  public static boolean no(Object anything) {
    return false;
  }

  public static boolean asIfDone(Object operators, long watermark, int budget) {
    ((TimedOperators) operators).advance(watermark, budget);
    return true;
  }

  public static long asItStands(long timestamp) {
    return timestamp;
  }

  public static boolean never(Object map, Object key) {
    return false;
  }

  public static boolean leaves(Object set, Collection<?> added) {
    return false;
  }

  public static void withoutDeletions(Object restore, Bytes key, @Nullable Bytes value) {
    if (value != null) {
      ((StateRestore) restore).restore(key, value);
    }
  }

  public static @Nullable Object nothingThere(Object map, Object key) {
    return null;
  }

  public static Object theOther(Object map, Object key, Object other) {
    return other;
  }

  public static Optional<?> withoutWayBack(Object serde, String olderSchema) {
    Serde<?> of = (Serde<?>) serde;
    return of instanceof VersionedSerde ? Optional.of(of) : of.writingAs(olderSchema);
  }

  public static Bytes asItIs(Serde<Object> values, Bytes frame) {
    return frame;
  }

  public static boolean everywhere(Object context, int hash, Bytes key) {
    return true;
  }

  public static boolean nothingMatches(Object stream, Predicate<?> condition) {
    return false;
  }

  public static List<?> withoutParked(List<?> inputs, List<?> parked) {
    return inputs.stream().map(input -> ((TaskInput) input).toCommitRecord()).toList();
  }

  public static List<?> byNumber(Object plan) {
    return ((Plan) plan)
        .stages().stream().sorted(Comparator.comparingInt(Plan.Stage::index)).toList();
  }

  public static int oneLess(Object list) {
    return ((List<?>) list).size() - 1;
  }

  public static long nothing(Object offsets) {
    return 0;
  }

  public static List<?> asItIs(Object list) {
    return (List<?>) list;
  }

  public static Bytes uncopied(Object bytes) {
    return (Bytes) bytes;
  }

  public static Object view(Serde<Object> serde, Bytes bytes) {
    return serde.read(bytes);
  }

  public static Position theStart(Object input) {
    return Position.of(0);
  }

  private static Outcome assumed(Outcome outcome, Outcome instead) {
    return outcome == instead ? Outcome.COMMITTED : outcome;
  }

  public static long most(int inputs, IntToLongFunction watermark, IntPredicate idle) {
    return IntStream.range(0, inputs).mapToLong(watermark).max().orElse(Long.MIN_VALUE);
  }

  public static long leastOfAll(int inputs, IntToLongFunction watermark, IntPredicate idle) {
    return IntStream.range(0, inputs).mapToLong(watermark).min().orElse(Long.MIN_VALUE);
  }

  public static int anyPartition(Bytes key, int partitions) {
    return Math.floorMod(turn++, partitions);
  }

  public static Disk neighbours(Object disks, String task) {
    String stage = task.substring(0, task.indexOf('-') + 1);
    int partition = Integer.parseInt(task.substring(stage.length()));
    return ((Disks) disks).open(stage + (partition ^ 1));
  }

  public static void deadLettersOutside(Object writer, Split to, RecordBatch batch) {
    if (to.stream().contains("dead-letters")) {
      ((TransactionalWriter) writer).sendOutside(to, batch);
    } else {
      ((TransactionalWriter) writer).send(to, batch);
    }
  }

  public static Serde<?> keySerde(Object spec) {
    return ((StoreSpec<?, ?>) spec).keySerde();
  }

  public static int nowhere(Object layer, int hash, Bytes key) {
    return -1;
  }

  public static long oneTick(Object operator, long time) {
    return 0;
  }

  public static ZonedDateTime startInSummerTime(Object day, ZoneId zone) {
    ZonedDateTime start = ((LocalDate) day).atStartOfDay(zone);
    return zone.getRules().isDaylightSavings(start.toInstant()) ? start : start.minusHours(1);
  }

  public static TemporalAdjuster sundayBefore(DayOfWeek day) {
    return TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY);
  }

  public static LocalDate plus365Days(Object day, long years) {
    return ((LocalDate) day).plusDays(365 * years);
  }

  public static Instant theLatest(Object watermark, Instant before, Object value, Instant time) {
    return time.isAfter(before) ? time : before;
  }

  public static long theSecond(long one, long other) {
    return other;
  }

  public static long aSecondLater(Object clock) {
    return ((TaskClock) clock).millis() + 1_000;
  }

  public static long noHold(Object operator) {
    return Long.MAX_VALUE;
  }

  public static Call.Order noOrder(Object call) {
    return Call.Order.NONE;
  }

  public static long undelayed(long watermark, long millis) {
    return watermark;
  }
}
