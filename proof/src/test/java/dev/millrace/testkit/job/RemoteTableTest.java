package dev.millrace.testkit.job;

import static dev.millrace.api.With.remote;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.RemoteTable.Write;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Remote tables are read and written, and have what they should at the end, whatever happens.
class RemoteTableTest {
  private static final KafkaKeyedSource<String, String> EVENTS =
      Kafka.source("events").key(Serdes.string()).value(Serdes.string());
  private static final Map<String, String> COLOURS = Map.of("a", "amber", "b", "blue");

  /// What a value begins with is looked up, and what comes of it is written twice: all of it, and
  /// those keys of which an odd number has come.
  private static final class Painting implements StreamApplication {
    private final boolean batched;
    private final Map<String, Write<String, String>> last = new HashMap<>();
    private final Map<String, Write<String, Long>> odd = new HashMap<>();

    Painting(boolean batched) {
      this.batched = batched;
    }

    @Override
    public String name() {
      return "painting";
    }

    @Override
    public void describe(Topology topology) {
      RemoteTable<String, String> colours =
          RemoteTable.read(
              "colours",
              batched
                  ? Call.<String, String>batched(
                      3, keys -> keys.stream().map(COLOURS::get).toList())
                  : Call.blocking(COLOURS::get));
      var painted =
          topology
              .from(EVENTS)
              .leftJoin(
                  "painted",
                  remote(colours, event -> event.startsWith("-") ? null : event.substring(0, 1)),
                  (event, colour) -> event + "=" + colour)
              .as(Serdes.string());
      painted.put("last", table("last", last)).to(sink());
      topology
          .from(EVENTS)
          .join("own", remote(colours), (event, colour) -> event + colour)
          .as(Serdes.string())
          .to(Kafka.sink("own").key(Serdes.string()).value(Serdes.string()));
      painted
          .groupByKey()
          .count("counts")
          .filter(count -> count % 2 == 1)
          .toChangelogStream()
          .put("odd", table("odd", odd));
    }

    private static KafkaKeyedSink<String, String> sink() {
      return Kafka.sink("painted").key(Serdes.string()).value(Serdes.string());
    }

    private <V> RemoteTable<String, V> table(String name, Map<String, Write<String, V>> rows) {
      return batched
          ? RemoteTable.written(
              name,
              Call.batched(
                  3,
                  writes -> {
                    writes.forEach(write -> write(rows, write));
                    return writes;
                  }))
          : RemoteTable.written(
              name,
              Call.blocking(write -> {
                write(rows, write);
                return write;
              }));
    }

    private static <V> void write(Map<String, Write<String, V>> rows, Write<String, V> write) {
      Write<String, V> there = rows.get(write.key());
      if (there != null && there.version() > write.version()) {
        throw new AssertionError("Back from " + there + " to " + write);
      }
      rows.put(write.key(), write);
    }

    private static <V> Map<String, V> values(Map<String, Write<String, V>> rows) {
      Map<String, V> values = new TreeMap<>();
      rows.forEach((key, write) -> {
        if (write.value() != null) {
          values.put(key, write.value());
        }
      });
      return values;
    }
  }

  private static void check(Painting application) {
    List<List<String>> sent = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      sent.add(List.of("abcde".substring(i % 5, i % 5 + 1), "abc-".charAt(i % 4) + "." + i));
    }
    Harsh.of(
            application,
            job -> {
              application.last.clear();
              application.odd.clear();
              TestInput<Object, Object> events = job.input("events");
              for (int i = 0; i < sent.size(); i++) {
                events
                    .at(Instant.ofEpochSecond(1_000_000 + i))
                    .send(sent.get(i).getFirst(), sent.get(i).getLast());
              }
              events.end();
            })
        .then(job -> {
          Map<String, String> last = new TreeMap<>();
          Map<String, Long> counts = new TreeMap<>();
          Map<String, List<String>> painted = new TreeMap<>();
          Map<String, List<String>> own = new TreeMap<>();
          for (List<String> each : sent) {
            String key = each.getFirst();
            String value = each.getLast();
            String result = value + "=" + COLOURS.get(value.substring(0, 1));
            last.put(key, result);
            counts.merge(key, 1L, Long::sum);
            painted.computeIfAbsent(key, _ -> new ArrayList<>()).add(result);
            if (COLOURS.containsKey(key)) {
              own.computeIfAbsent(key, _ -> new ArrayList<>()).add(value + COLOURS.get(key));
            }
          }
          counts.values().removeIf(count -> count % 2 == 0);
          assertEquals(last, Painting.values(application.last));
          assertEquals(counts, Painting.values(application.odd));
          painted.forEach(
              (key, all) -> job.output("painted").hasValuesOf(key, all.toArray(Object[]::new)));
          own.forEach((key, all) -> job.output("own").hasValuesOf(key, all.toArray(Object[]::new)));
          job.output("own").hasNo("c").hasNo("d").hasNo("e");
        })
        .check();
  }

  @Test
  void oneKeyAtATime() {
    check(new Painting(false));
  }

  @Test
  void severalAtOnce() {
    check(new Painting(true));
  }
}
