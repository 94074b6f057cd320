package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ByteTable;

/// Finds objects that somebody changed without a put.
final class CleanObjects {
  private CleanObjects() {}

  /// Returns true.
  ///
  /// @throws AssertionError if an object in the cache is not what is stored
  static boolean areUnchanged(StoreContext context, StoreTable stores) {
    Bytes key = new Bytes();
    int changed =
        context
            .mutations()
            .findChanged(
                context.cache(),
                (entry, object) -> stores.of(context.cache().key(entry, key)).fingerprint(object));
    if (changed != ByteTable.NONE) {
      context.cache().key(changed, key);
      throw new AssertionError(
          "The value of key %s in store '%s' of task %s was modified without a put. Call put after every change."
              .formatted(StoreTable.withoutNumber(key), stores.of(key).name(), context.task()));
    }
    return true;
  }
}
