package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.util.ArrayList;
import java.util.List;

/// Serdes without types, as a graph carries them.
public final class TestSerdes {
  public static final Serde<Object> STRING = untyped(Serdes.string());
  public static final Serde<Object> LONG = untyped(Serdes.longs());

  /// Lists that are read as lists that can be changed.
  public static final Serde<Object> CHANGING_LIST =
      untyped(
          new Serde<List<String>>() {
            private final Serde<List<String>> lists = Serdes.listOf(Serdes.string());

            @Override
            public String id() {
              return "changing-list";
            }

            @Override
            public void write(List<String> value, BytesWriter out) {
              lists.write(value, out);
            }

            @Override
            public List<String> read(Bytes in) {
              return new ArrayList<>(lists.read(in));
            }
          });

  private TestSerdes() {}

  @SuppressWarnings("unchecked")
  public static Serde<Object> untyped(Serde<?> serde) {
    return (Serde<Object>) serde;
  }
}
