package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.operators.Frames;

/// The watermark that all behind an operator have come to, which is kept with each commit.
final class Passed {
  /// Where it stands in the operator's store: nothing else begins so.
  private static final Bytes PLACE = Bytes.of(new byte[] {'p'});

  private final KeyValueStore<Bytes, Bytes> store;
  private long watermark = Long.MIN_VALUE;
  private long kept = Long.MIN_VALUE;

  /// Begins with what was kept.
  Passed(KeyValueStore<Bytes, Bytes> store) {
    this.store = store;
    Bytes found = store.get(PLACE);
    if (found != null) {
      watermark = new Frames.Reader(found).readLong();
      kept = watermark;
    }
  }

  long watermark() {
    return watermark;
  }

  void watermark(long now) {
    watermark = now;
  }

  void beforeCommit() {
    if (watermark != kept) {
      BytesWriter out = new BytesWriter(Long.BYTES);
      out.writeLong(watermark);
      store.put(PLACE, Bytes.of(out.toByteArray()));
      kept = watermark;
    }
  }
}
