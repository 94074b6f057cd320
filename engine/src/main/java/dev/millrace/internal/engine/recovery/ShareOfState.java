package dev.millrace.internal.engine.recovery;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.OwnEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which entries of a stage's stores belong to a task that has a share of the keys. Used by one
/// thread.
public final class ShareOfState implements OwnEntries {
  private static final int NUMBER_BYTES = 2;

  /// What an entry tells of the key that it belongs to.
  private enum Kind {
    /// It belongs to one key, and tells which.
    OF_KEY,
    /// Each share of the task has all of them: a broadcast table.
    OF_ALL,
    /// Each share of the task goes on from what there is when it begins.
    OF_EACH,
    /// The share that has what has no key has all of them.
    OF_FIRST,
    /// It does not say to whom it belongs.
    UNKNOWN
  }

  private record Store(Kind kind, @Nullable KeyBytesSerde keys) {}

  private final KeyShare share;
  private final SortedMap<Integer, Store> stores = new TreeMap<>();
  private final Bytes storeKey = new Bytes();
  private final Bytes rowKey = new Bytes();

  public ShareOfState(Plan.Stage stage, KeyShare share) {
    this.share = share;
    for (Plan.Store store : stage.stores()) {
      KeyBytesSerde keys = store.spec().keySerde() instanceof KeyBytesSerde of ? of : null;
      stores.put(store.number(), new Store(kind(store), keys));
    }
  }

  private static Kind kind(Plan.Store store) {
    if (store.owner().broadcast()) {
      return Kind.OF_ALL;
    }
    StoreSpec<?, ?> spec = store.spec();
    if (spec.valueSerde().equals(LateRows.COUNTS)) {
      return Kind.OF_FIRST;
    }
    if (spec.keySerde() instanceof KeyBytesSerde keys) {
      if (keys.isOfEachPart()) {
        return Kind.OF_EACH;
      }
      if (keys.tellsRowKey()) {
        return Kind.OF_KEY;
      }
    }
    return Kind.UNKNOWN;
  }

  /// Returns the names of the stores of a stage whose entries do not say to which key they belong:
  /// its tasks cannot be split.
  public static List<String> unsplittable(Plan.Stage stage) {
    List<String> names = new ArrayList<>();
    for (Plan.Store store : stage.stores()) {
      if (kind(store) == Kind.UNKNOWN) {
        names.add(store.spec().name());
      }
    }
    return names;
  }

  /// Returns why a task cannot be split, in words for people; empty if it can.
  public static String whyNotSplit(Plan plan, Plan.TaskId task) {
    List<String> stores = unsplittable(plan.stage(task.stage()));
    if (!stores.isEmpty()) {
      return "What it keeps in '%s' does not say to which key of its input it belongs."
          .formatted(String.join("', '", stores));
    }
    return plan.splits().share(task.number()).isSmallest()
        ? "It was split as often as a task can be."
        : "";
  }

  /// Returns whether a store says how far a task is, and not what one of its keys has.
  public static boolean isOfEachPart(Plan.Store store) {
    return kind(store) == Kind.OF_EACH;
  }

  /// Returns whether an entry is the task's own if it stands in the changelog of the task that this
  /// one was split off from.
  boolean hasFromParent(Bytes key) {
    Store store = store(key);
    return has(key) && (store == null || store.kind() != Kind.OF_EACH);
  }

  private @Nullable Store store(Bytes key) {
    return stores.get((key.get(0) & 0xFF) << 8 | key.get(1) & 0xFF);
  }

  @Override
  public boolean has(Bytes key) {
    if (share.isAll()) {
      return true;
    }
    Store store = store(key);
    if (store == null) {
      return share.hasKeyless(); // parked
    }
    return switch (store.kind()) {
      case OF_KEY -> share.has(rowKey(store, key));
      case OF_ALL, OF_EACH -> true;
      case OF_FIRST, UNKNOWN -> share.hasKeyless();
    };
  }

  private Bytes rowKey(Store store, Bytes key) {
    storeKey.set(key.array(), key.offset() + NUMBER_BYTES, key.length() - NUMBER_BYTES);
    KeyBytesSerde keys = store.keys();
    return keys == null ? storeKey : keys.rowKey(storeKey, rowKey);
  }
}
