package dev.millrace.internal.beam.translate;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.state.Coding;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;

/// Writes pairs without their keys, which are those of the records, and reads the values.
public record PairSerde(Coder<WindowedValue<Object>> values) implements Serde<Object> {
  /// Returns the serde of pairs in windows.
  public static PairSerde of(KvCoder<?, ?> pairs, Coder<? extends BoundedWindow> windows) {
    @SuppressWarnings("unchecked")
    Coder<Object> values = (Coder<Object>) pairs.getValueCoder();
    return new PairSerde(WindowedValues.getFullCoder(values, windows));
  }

  @Override
  public String id() {
    return "beam:pair";
  }

  @Override
  @SuppressWarnings("unchecked")
  public void write(Object row, BytesWriter out) {
    WindowedValue<KV<Object, Object>> pair = (WindowedValue<KV<Object, Object>>) row;
    Coding.write(values, WindowedValues.withValue(pair, pair.getValue().getValue()), out);
  }

  @Override
  public Object read(Bytes in) {
    return Coding.read(values, in, 0);
  }
}
