package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;

/// The last entry that an operator has emitted, of those that it keeps behind that: in a store with
/// one entry. The task's watermark alone does not tell, as a commit may come in the middle of one.
final class Fired {
  private static final Bytes ONLY = Bytes.of(new byte[] {0});

  private final KeyValueStore<Bytes, Bytes> store;

  Fired(KeyValueStore<Bytes, Bytes> store) {
    this.store = store;
  }

  /// @param name of the operator
  /// @param entries that it emits
  static StoreSpec<Bytes, Bytes> spec(String name, KeyBytesSerde entries) {
    return StoreSpec.keyValue(storeName(name), new KeyBytesSerde("one", null), entries);
  }

  static String storeName(String operator) {
    return operator + "-fired";
  }

  /// Says where to go on after a restart.
  ///
  /// @param lastClosed the start of the last window that the operator's watermark has closed
  void restore(DueEntries<?> due, long lastClosed) {
    Bytes behindLast = null;
    Bytes last = store.get(ONLY);
    if (last != null) {
      behindLast = behind(last);
    }
    if (lastClosed > Long.MIN_VALUE && lastClosed < Long.MAX_VALUE) {
      Bytes behindClosed = new TimeKey().of(lastClosed + 1, null);
      if (behindLast == null || behindLast.compareTo(behindClosed) < 0) {
        behindLast = behindClosed;
      }
    }
    if (behindLast != null) {
      due.startAt(behindLast);
    }
  }

  /// The least key behind another.
  private static Bytes behind(Bytes key) {
    byte[] longer = new byte[key.length() + 1];
    System.arraycopy(key.array(), key.offset(), longer, 0, key.length());
    return Bytes.of(longer);
  }

  void upTo(Bytes last) {
    store.put(ONLY, last);
  }
}
