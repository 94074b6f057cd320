package dev.millrace.engine.operators;

import dev.millrace.api.StoreSpec;
import java.util.List;

/// An operator as a topology carries it: what makes one for each task, and the stores it needs.
public record Declaration(OperatorFactory factory, List<StoreSpec<?, ?>> stores) {
  public Declaration {
    stores = List.copyOf(stores);
  }
}
