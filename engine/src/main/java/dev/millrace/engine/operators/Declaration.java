package dev.millrace.engine.operators;

import dev.millrace.api.StoreSpec;
import java.util.List;

/// An operator as a topology carries it.
///
/// @param factory makes one for each task
/// @param stores it needs
/// @param correctsMillis for how long, in event time, it takes back what it has emitted; 0 if never
public record Declaration(
    OperatorFactory factory, List<StoreSpec<?, ?>> stores, long correctsMillis) {
  /// For as long as the application runs.
  public static final long FOREVER = Long.MAX_VALUE / 4;

  public Declaration {
    stores = List.copyOf(stores);
  }

  /// One that takes nothing back.
  public Declaration(OperatorFactory factory, List<StoreSpec<?, ?>> stores) {
    this(factory, stores, 0);
  }
}
