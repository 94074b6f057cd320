package dev.millrace.internal.beam.translate;

import dev.millrace.api.connector.Source;
import dev.millrace.api.serde.Serde;
import org.apache.beam.sdk.coders.Coder;

/// Coders, serdes and sources whose types are gone, as a topology carries them.
public final class Erased {
  private Erased() {}

  @SuppressWarnings("unchecked")
  public static Coder<Object> coder(Coder<?> any) {
    return (Coder<Object>) any;
  }

  @SuppressWarnings("unchecked")
  public static Serde<Object> serde(Serde<?> any) {
    return (Serde<Object>) any;
  }

  @SuppressWarnings("unchecked")
  public static Source<Object> source(Source<?> any) {
    return (Source<Object>) any;
  }
}
