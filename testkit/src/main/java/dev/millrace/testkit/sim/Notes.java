package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A job that does what its records say, one word after the other, to the note of their key: `put
/// WORD` and `delete` change it, `get` emits it, `grow N` puts N characters and emits nothing,
/// `stop` returns without having read the rest, `close` has it fail when it is closed, anything
/// else does nothing. A number before the command is the event time.
final class Notes implements StreamApplication {
  private final String prefix;
  private final boolean bounded;

  /// @param prefix of the names of the application and its topics
  Notes(String prefix, boolean bounded) {
    this.prefix = prefix;
    this.bounded = bounded;
  }

  @Override
  public String name() {
    return prefix + "notes";
  }

  @Override
  public void describe(Topology topology) {
    StoreSpec<String, String> notes = StoreSpec.keyValue("notes", Serdes.string(), Serdes.string());
    var in =
        Kafka.source(prefix + "in")
            .key(Serdes.string())
            .value(Serdes.string())
            .eventTime(value -> Instant.ofEpochMilli(Long.parseLong(value.split(" ")[0])));
    topology
        .from(bounded ? in.asBounded() : in)
        .process("keeper", () -> new Keeper(notes), notes)
        .to(Kafka.sink(prefix + "out").key(Serdes.string()).value(Serdes.string()));
  }

  private static final class Keeper implements Processor<String, String, String> {
    private final StoreSpec<String, String> spec;
    private @Nullable KeyValueStore<String, String> notes;
    private boolean failsAtClose;

    Keeper(StoreSpec<String, String> spec) {
      this.spec = spec;
    }

    @Override
    public void open(ProcessorContext<String> context) {
      notes = context.store(spec);
    }

    @Override
    public void process(Records<String, String> records, Output<String> out) {
      KeyValueStore<String, String> kept = Objects.requireNonNull(notes);
      while (records.next()) {
        String key = Objects.requireNonNull(records.key());
        String[] words = records.value().split(" ");
        switch (words[1]) {
          case "put" -> kept.put(key, words[2]);
          case "grow" -> kept.put(key, "x".repeat(Integer.parseInt(words[2])));
          case "delete" -> kept.delete(key);
          case "get" -> out.emit(Objects.requireNonNullElse(kept.get(key), "nothing"));
          case "close" -> failsAtClose = true;
          case "fail" -> throw new IllegalStateException("as it was told");
          case "stop" -> {
            return;
          }
          default -> {}
        }
      }
    }

    @Override
    public void close() {
      if (failsAtClose) {
        throw new IllegalStateException("It does not want to be closed.");
      }
    }
  }
}
