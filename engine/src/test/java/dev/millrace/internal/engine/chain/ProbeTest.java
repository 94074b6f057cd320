package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.chain.DrawnPipeline.Arrival;
import dev.millrace.internal.engine.chain.DrawnPipeline.Visit;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What can be seen of a chain from outside.
class ProbeTest {
  private static final int SEEDS = 150;
  private static final int RECORDS = 150;

  private static RecordBatch records(int count) {
    return Running.batch(
        LongStream.range(0, count).map(i -> DrawnPipeline.value((int) i)).toArray());
  }

  @Test
  void rowsAreCountedAsByPlainCalls() {
    for (long seed = 0; seed < SEEDS; seed++) {
      DrawnPipeline pipeline = new DrawnPipeline(seed);
      Running running = new Running(pipeline);
      List<Visit> visits = new ArrayList<>();
      List<Arrival> arrivals = pipeline.evaluate(RECORDS, visits);
      RecordBatch records = records(RECORDS);
      int cut = (int) (seed % RECORDS);
      running.chain.process(records, 0, cut, false);
      running.chain.process(records, cut, RECORDS, false);
      running.take();

      Map<String, Long> expected = new TreeMap<>();
      visits.forEach(visit -> expected.merge(visit.operator().name, 1L, Long::sum));
      List<Measured> operators = running.chains.operators();
      for (int i = 0; i < operators.size(); i++) {
        Measured each = operators.get(i);
        String name = each.name().replaceAll("sink '(.*)'", "$1");
        String message = "seed " + seed + ", " + name;
        if (each.node() instanceof Node.Input) {
          assertEquals(RECORDS, running.probe.rowsIn(i), message);
          assertEquals(RECORDS, running.probe.rowsOut(i), message);
          continue;
        }
        assertEquals(expected.getOrDefault(name, 0L), running.probe.rowsIn(i), message);
        if (each.node() instanceof Node.Output) {
          long arrived = arrivals.stream().filter(one -> one.sink().equals(name)).count();
          assertEquals(arrived, running.probe.rowsOut(i), message);
        }
        for (Measured behind : operators) {
          List<Node> inputs = behind.node().inputs();
          if (inputs.size() == 1 && inputs.getFirst().id() == each.node().id()) {
            int of = operators.indexOf(behind);
            assertEquals(running.probe.rowsIn(of), running.probe.rowsOut(i), message);
          }
        }
      }
    }
  }

  /// Reads numbers, and looks who is at work then.
  private final class Watching implements Serde<Long> {
    @Override
    public void write(Long value, BytesWriter out) {
      see("write");
      Serdes.longs().write(value, out);
    }

    @Override
    public Long read(Bytes bytes) {
      see("read");
      return Serdes.longs().read(bytes);
    }

    @Override
    public String id() {
      return "watching";
    }
  }

  private Running running = new Running(new DrawnPipeline(0));

  /// Where the functions were called, and who was at work by the probe.
  private final TreeSet<String> seen = new TreeSet<>();

  private void see(String where) {
    int operator = running.probe.operator();
    seen.add(where + ": " + (operator < 0 ? "" : running.chains.operators().get(operator).name()));
  }

  private StreamApplication app(boolean readTwice) {
    return new StreamApplication() {
      @Override
      public String name() {
        return "app";
      }

      @Override
      public void describe(Topology topology) {
        var in = topology.from(Kafka.source(DrawnPipeline.IN).value(new Watching()));
        if (readTwice) {
          // So that all are decoded at once.
          in.filter(value -> value > 0).to(Kafka.sink("other").value(Serdes.longs()));
        }
        in.filter(
                value -> {
                  see("first");
                  return value % 2_000 != 0;
                })
            .map(value -> {
              see("second");
              return value;
            })
            .as(new Watching())
            .filter(value -> {
              see("third");
              return value % 3 != 0;
            })
            .flatMap(value -> {
              see("fourth");
              return List.of(value, value);
            })
            .as(new Watching())
            .to(Kafka.sink("out").value(new Watching()));
      }
    };
  }

  @Test
  void theFunctionsOfARunAreToldApartAndWhatMakesValuesOfBytes() {
    for (boolean readTwice : List.of(false, true)) {
      seen.clear();
      running = new Running(app(readTwice));
      running.chain.process(records(RECORDS), 0, RECORDS, false);
      int first = readTwice ? 3 : 1;
      assertEquals(
          "[first: filter %d, fourth: flatmap %d, read: source 'in', second: map %d, third: filter %d, write: sink 'out']"
              .formatted(first, first + 3, first + 1, first + 2),
          seen.toString());
      assertEquals(-1, running.probe.operator());
    }
  }

  @Test
  void anOperatorThatReadsValuesOneByOneIsToldApartFromWhatMakesThem() {
    Rows rows = new Rows();
    List<Boolean> decoding = new ArrayList<>();
    rows.startUndecoded(
        records(2),
        new Serde<Object>() {
          @Override
          public void write(Object value, BytesWriter out) {}

          @Override
          public Object read(Bytes bytes) {
            decoding.add(rows.isDecoding());
            return Serdes.longs().read(bytes);
          }

          @Override
          public String id() {
            return "watching";
          }
        });
    rows.addOrigin(0, 0);
    rows.addOrigin(1, 0);
    for (int row = 0; row < 2; row++) {
      assertEquals(DrawnPipeline.value(row), rows.valueAlone(row));
      decoding.add(rows.isDecoding());
    }
    assertEquals(List.of(true, false, true, false), decoding);
  }

  @Test
  void whereTheFunctionsAreIsTold() {
    running = new Running(app(false));
    List<String> functions = running.chains.operators().stream().map(Measured::function).toList();
    assertEquals("", functions.getFirst());
    for (String function : functions.subList(1, 5)) {
      assertTrue(function.matches("ProbeTest\\.java:1\\d\\d"), function);
    }
    assertEquals(4, new TreeSet<>(functions.subList(1, 5)).size(), functions.toString());
    assertEquals("", functions.get(5));
  }

  @Test
  void streamsThatAreReadOrWrittenTwiceHaveTwoNames() {
    running =
        new Running(
            new StreamApplication() {
              @Override
              public String name() {
                return "app";
              }

              @Override
              public void describe(Topology topology) {
                for (int i = 0; i < 2; i++) {
                  topology
                      .from(Kafka.source(DrawnPipeline.IN).value(Serdes.longs()))
                      .filter(ProbeTest::holds)
                      .to(Kafka.sink("out").value(Serdes.longs()));
                }
              }
            });
    assertEquals(
        "[source 'in', source 'in' 3, filter 1, sink 'out', filter 4, sink 'out' 5]",
        running.chains.operators().stream().map(Measured::name).toList().toString());
    assertEquals("ProbeTest::holds", running.chains.operators().get(2).function());
  }

  private static boolean holds(Long value) {
    return value > 0;
  }

  @Test
  void afterAFailureOfAFunctionItIsStillTheOneAtWork() {
    running =
        new Running(
            new StreamApplication() {
              @Override
              public String name() {
                return "app";
              }

              @Override
              public void describe(Topology topology) {
                topology
                    .from(Kafka.source(DrawnPipeline.IN).value(Serdes.longs()))
                    .filter(value -> {
                      throw new IllegalStateException("planted");
                    })
                    .to(Kafka.sink("out").value(Serdes.longs()));
              }
            });
    RecordBatch records = records(1);
    assertThrows(IllegalStateException.class, () -> running.chain.process(records, 0, 1, false));
    running.probe.leave(); // as the worker does
    assertEquals(-1, running.probe.operator());
    assertEquals("filter 1", running.chain.failure().operator());
  }
}
