package dev.millrace.internal.runtime;

import dev.millrace.internal.engine.settings.Surroundings;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Starts jobs whose engine sees its log, disks and clock through something in between. For
/// measurements that count, hold up or leave out what goes there.
public final class Around {
  private static final ScopedValue<UnaryOperator<Surroundings>> ENGINE = ScopedValue.newInstance();

  private Around() {}

  /// Runs a function that starts a job, and returns its result.
  ///
  /// @param around is given what the job's engine would run on, and returns what it runs on
  public static <T> T engine(UnaryOperator<Surroundings> around, Supplier<T> start) {
    return ScopedValue.where(ENGINE, around).call(start::get);
  }

  /// Returns the wrapper of the surroundings of an engine that is started now.
  public static UnaryOperator<Surroundings> engine() {
    return ENGINE.orElse(UnaryOperator.identity());
  }
}
