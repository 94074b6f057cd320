package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.beam.state.LongKeys;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.jspecify.annotations.Nullable;

/// Windows that do not merge.
///
/// What is kept of a key in a window has a place in the stores: the length of the window's bytes,
/// those bytes, and what stands for the key.
final class ApartWindows implements KeptWindows {
  private static final Bytes NOTHING = Bytes.of(new byte[] {0});

  private final Coder<BoundedWindow> windowCoder;
  private final Gathering gathering;
  private final KeyValueStore<Bytes, Object> store;
  private final Aggregates kept;
  private final KeyValueStore<Bytes, Bytes> ends;
  private final DueEntries<Bytes> due;
  private final LongKeys longKeys;
  private final BytesWriter place = new BytesWriter(64);
  private final Bytes view = new Bytes();
  private final TimeKey timeKey = new TimeKey();
  private @Nullable BoundedWindow last;
  private int lastLength;

  ApartWindows(OperatorContext context, Spec spec) {
    windowCoder = spec.windowFn().windowCoder();
    gathering = spec.kind().create();
    gathering.open(context);
    store = context.store(spec.kept());
    kept = context.aggregates(spec.kept());
    ends = context.store(spec.ends());
    due = new DueEntries<>(ends);
    longKeys = new LongKeys(context.store(spec.keys()));
  }

  @Override
  public void add(BoundedWindow window, Bytes key, Bytes value) {
    Bytes at = place(window, key);
    Object before = kept.find(at);
    if (before == null) {
      Bytes end = timeKey.of(window.maxTimestamp().getMillis(), at);
      ends.put(end, NOTHING);
      due.added(end);
    }
    kept.replace(at, gathering.add(before, at, value));
  }

  @Override
  public void sliceEnds() {
    // Each value was added when it came.
  }

  /// Returns the place of a key in a window, valid until the next call.
  private Bytes place(BoundedWindow window, Bytes key) {
    if (window.equals(last)) {
      place.truncate(lastLength);
    } else {
      place.clear();
      Frames.write(Coding.bytes(windowCoder, window), place);
      lastLength = place.length();
      last = window;
    }
    longKeys.write(key, place);
    return place.view(view, 0);
  }

  @Override
  public boolean advance(long watermark, int budget, Results results) {
    return due.take(
        watermark == Long.MAX_VALUE ? watermark : watermark - 1,
        budget,
        end -> {
          Bytes at = TimeKey.rowKey(end, new Bytes());
          results.of(key(at), window(at), gathering.result(Opened.store(store.get(at)), at));
          store.delete(at);
          ends.delete(end);
        });
  }

  private BoundedWindow window(Bytes at) {
    return Coding.read(windowCoder, new Frames.Reader(at).frame(), 0);
  }

  private Bytes key(Bytes at) {
    Frames.Reader reader = new Frames.Reader(at);
    reader.frame(); // the window
    int start = reader.position();
    return longKeys.key(new Bytes().set(at.array(), at.offset() + start, at.length() - start));
  }
}
