package dev.millrace.internal.beam.translate;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.operators.Envelope;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.Coding;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;

/// Writes whole elements with their windows.
record ElementSerde(Envelope envelope, Coder<Object> elements) implements Serde<Object> {
  static ElementSerde of(Coder<?> elements, Coder<? extends BoundedWindow> windows) {
    return new ElementSerde(new Envelope(windows), Erased.coder(elements));
  }

  @Override
  public String id() {
    return "beam:element";
  }

  @Override
  @SuppressWarnings("unchecked")
  public void write(Object row, BytesWriter out) {
    WindowedValue<Object> element = (WindowedValue<Object>) row;
    envelope.write(element, out);
    Coding.write(elements, element.getValue(), out);
  }

  @Override
  public Object read(Bytes in) {
    BytesInput stream = new BytesInput(in, 0);
    return envelope.read(stream).with(Coding.read(elements, stream));
  }
}
