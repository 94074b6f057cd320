package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// Records as bytes: the serde that is made from the record's class, beside one written by hand.
///
/// Before the measurement the same code has read and written other records, as in a process with
/// several topics: what the JIT knows of one type must not flatter it.
@State(Scope.Thread)
public class CodecBenchmark {
  static final int ORDERS = 256;
  private static final int OTHERS = 2_000;

  private final Serde<Order> serde = Serdes.record(Order.class);
  private final Serde<Order> key = Serdes.orderedRecord(Order.class);
  private final Order[] orders =
      IntStream.range(0, ORDERS).mapToObj(Order::of).toArray(Order[]::new);
  private final Order[] read = new Order[ORDERS];
  private final BytesWriter out = new BytesWriter(64 << 10);
  private final Bytes view = new Bytes();
  private final int[] ends = new int[ORDERS];
  private byte[] generated = {};
  private byte[] byHand = {};
  private byte[] keys = {};
  private int[] generatedEnds = {};
  private int[] byHandEnds = {};
  private int[] keyEnds = {};

  @Setup
  public void setUp() {
    writeGenerated();
    generated = out.toByteArray();
    generatedEnds = ends.clone();
    writeByHand();
    byHand = out.toByteArray();
    byHandEnds = ends.clone();
    writeKeys();
    keys = out.toByteArray();
    keyEnds = ends.clone();
    OtherRecords.use(OTHERS);
  }

  /// How long the first record is.
  int generatedLength() {
    return generatedEnds[0];
  }

  @Benchmark
  @What("write a record of 8 components")
  @OperationsPerInvocation(ORDERS)
  public BytesWriter writeGenerated() {
    out.clear();
    for (int i = 0; i < ORDERS; i++) {
      serde.write(orders[i], out);
      ends[i] = out.length();
    }
    return out;
  }

  @Benchmark
  @What("the same by hand")
  @OperationsPerInvocation(ORDERS)
  public BytesWriter writeByHand() {
    out.clear();
    for (int i = 0; i < ORDERS; i++) {
      OrderByHand.write(orders[i], out);
      ends[i] = out.length();
    }
    return out;
  }

  @Benchmark
  @What("read a record of 8 components")
  @OperationsPerInvocation(ORDERS)
  public Order[] readGenerated() {
    for (int i = 0, start = 0; i < ORDERS; start = generatedEnds[i++]) {
      read[i] = serde.read(view.set(generated, start, generatedEnds[i] - start));
    }
    return read;
  }

  @Benchmark
  @What("the same by hand")
  @OperationsPerInvocation(ORDERS)
  public Order[] readByHand() {
    for (int i = 0, start = 0; i < ORDERS; start = byHandEnds[i++]) {
      read[i] = OrderByHand.read(view.set(byHand, start, byHandEnds[i] - start));
    }
    return read;
  }

  /// The form of keys, which sorts.
  @Benchmark
  @What("write it in the form of a key")
  @OperationsPerInvocation(ORDERS)
  public BytesWriter writeKeys() {
    out.clear();
    for (int i = 0; i < ORDERS; i++) {
      key.write(orders[i], out);
      ends[i] = out.length();
    }
    return out;
  }

  @Benchmark
  @What("read it in the form of a key")
  @OperationsPerInvocation(ORDERS)
  public Order[] readKeys() {
    for (int i = 0, start = 0; i < ORDERS; start = keyEnds[i++]) {
      read[i] = key.read(view.set(keys, start, keyEnds[i] - start));
    }
    return read;
  }
}
