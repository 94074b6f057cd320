package dev.millrace.internal.engine.operators;

import dev.millrace.api.StoreSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An operator as a topology carries it.
///
/// @param factory makes one for each task
/// @param stores it needs
/// @param parameters that give what it keeps its meaning
/// @param correctsMillis for how long, in event time, it takes back what it has emitted; 0 if never
/// @param lateGoOn whether rows that are too late are wanted among its results, as [TooLate]
/// @param delayMillis by how much event time here and behind it is later than before it
/// @param waitsForTable whether the rows of its first input wait until the second, a table, has
///   been read as far as it went when the task began
/// @param combiner may aggregate its rows before they are sent to it; null if none can
public record Declaration(
    OperatorFactory factory,
    List<StoreSpec<?, ?>> stores,
    Parameters parameters,
    long correctsMillis,
    boolean lateGoOn,
    long delayMillis,
    boolean waitsForTable,
    @Nullable Combiner combiner) {
  /// For as long as the application runs.
  public static final long FOREVER = Long.MAX_VALUE / 4;

  public Declaration {
    stores = List.copyOf(stores);
  }

  /// One that takes nothing back.
  public Declaration(OperatorFactory factory, List<StoreSpec<?, ?>> stores, Parameters parameters) {
    this(factory, stores, parameters, 0);
  }

  /// One that does with late rows what it does, and whose inputs do not wait for each other.
  public Declaration(
      OperatorFactory factory,
      List<StoreSpec<?, ?>> stores,
      Parameters parameters,
      long correctsMillis) {
    this(factory, stores, parameters, correctsMillis, false, 0, false, null);
  }

  /// The same operator, which was told more.
  public Declaration with(Parameters more) {
    return new Declaration(
        factory,
        stores,
        parameters.and(more),
        correctsMillis,
        lateGoOn,
        delayMillis,
        waitsForTable,
        combiner == null ? null : combiner.with(more));
  }

  /// The same operator, which may be given rows that are aggregated before.
  public Declaration combined(Combiner by) {
    return new Declaration(
        factory, stores, parameters, correctsMillis, lateGoOn, delayMillis, waitsForTable, by);
  }

  /// The same operator, with rows that are too late among its results: so they are sent as they
  /// are.
  public Declaration withLateRows() {
    return new Declaration(
        factory, stores, parameters, correctsMillis, true, delayMillis, waitsForTable, null);
  }

  /// The same operator, with event time that much later than what comes in has it.
  public Declaration delayed(long millis) {
    return new Declaration(
        factory,
        stores,
        parameters,
        correctsMillis,
        lateGoOn,
        delayMillis + millis,
        waitsForTable,
        combiner == null ? null : combiner.delayed(millis));
  }

  /// The same operator, whose first input waits for the table that is its second.
  public Declaration waitingForTable() {
    return new Declaration(
        factory, stores, parameters, correctsMillis, lateGoOn, delayMillis, true, combiner);
  }
}
