package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.operators.WindowsOfKey.Part;
import dev.millrace.internal.beam.state.LongKeys;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.util.UserCodeException;
import org.jspecify.annotations.Nullable;

/// Windows that merge, as sessions do: those of a key once a slice.
///
/// The windows of a key are kept under what stands for it, and what is kept in each of them under
/// that and a number, so that windows merge without what is in them being written again. A key is
/// looked at when the first of its windows ends, or before.
final class MergingWindows implements KeptWindows {
  private static final Bytes NOTHING = Bytes.of(new byte[] {0});

  private final WindowFn<?, BoundedWindow> windowFn;
  private final Gathering gathering;
  private final KeyValueStore<Bytes, Object> store;
  private final Aggregates kept;
  private final KeyValueStore<Bytes, Object> windowStore;
  private final Aggregates windows;
  private final KeyValueStore<Bytes, Bytes> ends;
  private final DueEntries<Bytes> due;
  private final LongKeys longKeys;

  /// The keys of the slice, by what stands for them.
  private final Map<Bytes, OfKey> slice = new LinkedHashMap<>();

  private final BytesWriter key = new BytesWriter(64);
  private final Bytes keyView = new Bytes();
  private final TimeKey timeKey = new TimeKey();

  MergingWindows(OperatorContext context, Spec spec) {
    windowFn = spec.windowFn();
    gathering = spec.kind().create();
    gathering.open(context);
    store = context.store(spec.kept());
    kept = context.aggregates(spec.kept());
    windowStore = context.store(spec.windows());
    windows = context.aggregates(spec.windows());
    ends = context.store(spec.ends());
    due = new DueEntries<>(ends);
    longKeys = new LongKeys(context.store(spec.keys()));
  }

  @Override
  public void add(BoundedWindow window, Bytes of, Bytes value) {
    key.clear();
    longKeys.write(of, key);
    Bytes stored = key.view(keyView, 0);
    OfKey found = slice.get(stored);
    if (found == null) {
      Bytes copy = stored.copy();
      found = new OfKey(copy, (WindowsOfKey) windows.find(copy));
      slice.put(copy, found);
    }
    found.add(window, value);
  }

  @Override
  public void sliceEnds() {
    slice.values().forEach(OfKey::store);
    slice.clear();
  }

  @Override
  public boolean advance(long watermark, int budget, Results results) {
    long latest = watermark == Long.MAX_VALUE ? watermark : watermark - 1;
    return due.take(
        latest,
        budget,
        end -> {
          Bytes stored = TimeKey.rowKey(end, new Bytes());
          if (ends.get(end) != null) {
            ends.delete(end);
            new OfKey(stored, (WindowsOfKey) Opened.store(windowStore.get(stored)))
                .end(latest, results);
          }
        });
  }

  /// The windows of a key while it is at hand.
  private final class OfKey {
    private final Bytes stored;
    private final WindowsOfKey of;
    private final BytesWriter place = new BytesWriter(64);

    /// Whether windows came: nothing else makes those of the key others before one ends.
    private boolean hasNew;

    OfKey(Bytes stored, @Nullable WindowsOfKey known) {
      this.stored = stored;
      of = known == null ? new WindowsOfKey() : known;
      place.write(stored);
    }

    private Bytes at(Part part) {
      place.truncate(stored.length());
      place.writeLong(part.number());
      return place.view(new Bytes(), 0);
    }

    void add(BoundedWindow window, Bytes value) {
      Part part = of.find(window);
      if (part == null) {
        part = of.begin(window);
        hasNew = true;
      }
      Bytes at = at(part);
      part.keep(gathering.add(kept(part, at), at, value));
    }

    private @Nullable Object kept(Part part, Bytes at) {
      Object object = part.kept();
      return object == null && part.isStored() ? kept.find(at) : object;
    }

    /// Merges windows and stores what has changed.
    void store() {
      if (hasNew) {
        merge();
      }
      for (Part part : of.parts()) {
        Object object = part.kept();
        if (object != null) {
          kept.replace(at(part), object);
          part.keep(null);
          part.stored();
        }
      }
      if (hasNew) {
        plan();
        windows.replace(stored, of);
      }
    }

    private void merge() {
      List<Merge> merges = new ArrayList<>();
      try {
        merges(windowFn, List.copyOf(of.windows()), merges);
        // outermost: user code, which may throw whatever it likes
      } catch (Exception e) {
        throw UserCodeException.wrapIf(!(e instanceof RuntimeException), e);
      }
      merges.forEach(this::merge);
    }

    private static <T> void merges(
        WindowFn<T, BoundedWindow> fn, List<BoundedWindow> all, List<Merge> merges)
        throws Exception {
      fn.mergeWindows(
          fn.new MergeContext() {
            @Override
            public Collection<BoundedWindow> windows() {
              return all;
            }

            @Override
            public void merge(Collection<BoundedWindow> merged, BoundedWindow result) {
              merges.add(new Merge(List.copyOf(merged), result));
            }
          });
    }

    private void merge(Merge merge) {
      Part into = of.remove(merge.result);
      for (BoundedWindow window : merge.merged) {
        if (!window.equals(merge.result)) {
          Part part = of.remove(window);
          if (part == null) {
            throw new IllegalStateException(
                "%s merges %s, which is no window of the key or was merged before."
                    .formatted(windowFn, window));
          }
          into = into == null ? part : merged(into, part);
        }
      }
      if (into != null) {
        of.put(merge.result, into);
      }
    }

    /// Adds what one part has to another one: to that which is stored already.
    private Part merged(Part one, Part other) {
      if (other.isStored() && !one.isStored()) {
        return merged(other, one);
      }
      Bytes at = at(one).copy();
      Bytes from = at(other);
      one.keep(
          gathering.merge(Opened.store(kept(one, at)), at, Opened.store(kept(other, from)), from));
      if (other.isStored()) {
        store.delete(from);
      }
      return one;
    }

    /// Sees to it that the key is looked at when the first of its windows ends. If it is looked at
    /// before, it is left at that, as windows mostly get longer.
    private void plan() {
      long first = of.firstEndMillis();
      if (first < of.lookMillis()) {
        if (of.lookMillis() != WindowsOfKey.NEVER) {
          ends.delete(timeKey.of(of.lookMillis(), stored));
        }
        Bytes end = timeKey.of(first, stored);
        ends.put(end, NOTHING);
        due.added(end);
        of.lookAt(first);
      }
    }

    /// Gives the results of windows that have ended.
    void end(long latest, Results results) {
      List<BoundedWindow> ended =
          of.windows().stream()
              .filter(window -> window.maxTimestamp().getMillis() <= latest)
              .sorted(Comparator.comparing(BoundedWindow::maxTimestamp))
              .toList();
      Bytes whole = longKeys.key(stored);
      for (BoundedWindow window : ended) {
        Bytes at = at(Opened.store(of.remove(window)));
        results.of(whole, window, gathering.result(Opened.store(store.get(at)), at));
        store.delete(at);
      }
      of.lookAt(WindowsOfKey.NEVER);
      if (of.isEmpty()) {
        windowStore.delete(stored);
      } else {
        plan();
        windowStore.put(stored, of);
      }
    }
  }

  /// Windows that become one.
  private record Merge(List<BoundedWindow> merged, BoundedWindow result) {}
}
