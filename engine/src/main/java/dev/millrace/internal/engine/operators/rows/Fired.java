package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.TimeKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The last entry that an operator has emitted, of those that it keeps behind that, and those that
/// it passed over: a store with an entry for each. The task's watermark alone does not tell, as a
/// commit may come in the middle of one.
public final class Fired {
  private static final Bytes ONLY = Bytes.of(new byte[] {0});

  private static final Bytes PASSED_OVER = Bytes.of(new byte[] {1});

  /// The keys of all entries that its store may have.
  public static final List<Bytes> KEYS = List.of(ONLY, PASSED_OVER);

  private final KeyValueStore<Bytes, Bytes> store;

  /// Those of which nothing was emitted, since they had failed, and how many rows of each.
  private final Map<Bytes, Integer> passedOver = new LinkedHashMap<>();

  public Fired(KeyValueStore<Bytes, Bytes> store) {
    this.store = store;
    Bytes kept = store.get(PASSED_OVER);
    if (kept != null) {
      Frames.Reader in = new Frames.Reader(kept.copy());
      while (!in.atEnd()) {
        passedOver.merge(in.frame(), 1, Integer::sum);
      }
    }
  }

  /// @param name of the operator
  /// @param entries that it emits
  public static StoreSpec<Bytes, Bytes> spec(String name, KeyBytesSerde entries) {
    return StoreSpec.keyValue(storeName(name), new KeyBytesSerde(KeyBytesSerde.ONE, null), entries);
  }

  static String storeName(String operator) {
    return operator + "-fired";
  }

  /// Says where to go on after a restart.
  ///
  /// @param lastClosed the start of the last window that the operator's watermark has closed
  public void restore(DueEntries<?> due, long lastClosed) {
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

  public void upTo(Bytes last) {
    store.put(ONLY, last);
  }

  /// An entry was passed over, so there is nothing to be taken back when it changes.
  public void passOver(Bytes entry) {
    if (passedOver.putIfAbsent(entry.copy(), 1) == null) {
      keep();
    }
  }

  /// A row was passed over; others that are equal to it may have been, too.
  public void passOverRow(Bytes entry) {
    passedOver.merge(entry.copy(), 1, Integer::sum);
    keep();
  }

  /// Whether any was.
  public boolean any() {
    return !passedOver.isEmpty();
  }

  public boolean wasPassedOver(Bytes entry) {
    return !passedOver.isEmpty() && passedOver.containsKey(entry);
  }

  /// Something of an entry was emitted after all, or it is gone; of equal rows, one.
  ///
  /// @return whether it was passed over
  public boolean forget(Bytes entry) {
    boolean was = wasPassedOver(entry);
    if (was) {
      passedOver.computeIfPresent(entry, (_, count) -> count == 1 ? null : count - 1);
      keep();
    }
    return was;
  }

  /// All that were passed over and begin before a time are gone.
  public void forgetBefore(long time) {
    if (!passedOver.isEmpty()
        && passedOver.keySet().removeIf(entry -> TimeKey.time(entry) < time)) {
      keep();
    }
  }

  /// The rows of a time and key are gone, and so is what was passed over of them.
  void forgetRows(Bytes timeKey) {
    if (!passedOver.isEmpty()
        && passedOver.keySet().removeIf(id -> id.equals(timeKey) || RowPlaces.isOf(timeKey, id))) {
      keep();
    }
  }

  private void keep() {
    if (passedOver.isEmpty()) {
      store.delete(PASSED_OVER);
      return;
    }
    BytesWriter out = new BytesWriter(64);
    passedOver.forEach((entry, count) -> {
      for (int i = 0; i < count; i++) {
        Frames.write(entry, out);
      }
    });
    store.put(PASSED_OVER, Bytes.of(out.toByteArray()));
  }
}
