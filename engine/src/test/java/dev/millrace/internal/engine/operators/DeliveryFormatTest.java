package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.outside.DeliveryOperator;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.RecordBatch;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is kept until it is delivered to a sink outside the log, as bytes.
class DeliveryFormatTest {
  private static final HexFormat HEX = HexFormat.of();

  /// Takes nothing.
  private static final class Nowhere implements ExternalSink<Object, Object> {
    @Override
    public String stream() {
      return "nowhere";
    }

    @Override
    public Serde<Object> valueSerde() {
      return TestSerdes.STRING;
    }

    @Override
    public Delivery open(String task, String changelog) {
      return new Delivery() {
        @Override
        public void deliver(long commit, RecordBatch batch) {}

        @Override
        public void close() {}
      };
    }
  }

  /// The key is the number of the commit and of the chunk; a row is its time, its key behind its
  /// length and one, so that none is 0, its value and its headers.
  @Test
  void rowsAreKeptAsTheyAlwaysWere() {
    Declaration declaration = DeliveryOperator.declare(new Nowhere(), false);
    StoreSpec<?, ?> spec = declaration.stores().getFirst();
    assertEquals("commit+chunk", spec.keySerde().schema());
    KeyValueStore<Bytes, byte[]> store = typed(new FakeStore<>(spec));
    OperatorContext context =
        (OperatorContext)
            Proxy.newProxyInstance(
                OperatorContext.class.getClassLoader(),
                new Class<?>[] {OperatorContext.class},
                (_, method, _) ->
                    switch (method.getName()) {
                      case "store" -> store;
                      case "committed" -> 8L;
                      case "largestValue" -> 1 << 20;
                      case "partition" -> 0;
                      default -> "name";
                    });
    Operator operator = declaration.factory().create();
    operator.open(context);
    operator.process(
        new Bench.Cursor(
            List.of(new Bench.Row(Bytes.ofUtf8("k"), "ab", 1_000), new Bench.Row(null, "", -1)),
            null),
        null);
    operator.beforeCommit(9);
    List<String> kept = new ArrayList<>();
    store.range(
        Bytes.of(new byte[12]),
        Bytes.of(new byte[] {-1}),
        (key, value) -> {
          kept.add(HEX.formatHex(key.toByteArray()) + " " + HEX.formatHex(value));
          return true;
        });
    assertEquals(
        List.of(
            "000000000000000900000000"
                + " 00000000000003e8"
                + "026b"
                + "026162"
                + "00"
                + "ffffffffffffffff"
                + "00"
                + "00"
                + "00"),
        kept);
  }

  @SuppressWarnings("unchecked")
  private static KeyValueStore<Bytes, byte[]> typed(FakeStore<?, ?> store) {
    return (KeyValueStore<Bytes, byte[]>) store;
  }
}
