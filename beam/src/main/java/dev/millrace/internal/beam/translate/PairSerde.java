package dev.millrace.internal.beam.translate;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.operators.Envelope;
import dev.millrace.internal.beam.operators.Enveloped;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.Coding;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/// Writes pairs without their keys, which are those of the records, and reads the values.
public record PairSerde(Envelope envelope, Coder<Object> values) implements Serde<Object> {
  /// Returns the serde of pairs in windows.
  public static PairSerde of(KvCoder<?, ?> pairs, Coder<? extends BoundedWindow> windows) {
    return new PairSerde(new Envelope(windows), Erased.coder(pairs.getValueCoder()));
  }

  @Override
  public String id() {
    return "beam:pair";
  }

  @Override
  @SuppressWarnings("unchecked")
  public void write(Object row, BytesWriter out) {
    WindowedValue<KV<Object, Object>> pair = (WindowedValue<KV<Object, Object>>) row;
    envelope.write(pair, out);
    Coding.write(values, pair.getValue().getValue(), out);
  }

  @Override
  public Object read(Bytes in) {
    BytesInput stream = new BytesInput(in, 0);
    Enveloped around = envelope.read(stream);
    return around.with(Coding.read(values, stream));
  }
}
