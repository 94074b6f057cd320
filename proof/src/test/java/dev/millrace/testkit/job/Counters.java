package dev.millrace.testkit.job;

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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Counts the records of each key, rightly or with one of the mistakes that authors of processors
/// make.
///
/// @param keeping where the counts are
record Counters(Keeping keeping) implements StreamApplication {
  private static final StoreSpec<String, Long> COUNTS =
      StoreSpec.keyValue("counts", Serdes.string(), Serdes.longs());

  enum Keeping {
    /// As it should be.
    IN_A_STORE,
    /// They are gone with the process.
    IN_A_FIELD,
    /// Nothing is kept from one batch to the next.
    FOR_A_BATCH
  }

  @Override
  public String name() {
    return "counters";
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source("events").key(Serdes.string()).value(Serdes.string()))
        .process("counter", () -> new Counter(keeping), COUNTS)
        .to(Kafka.sink("counted").key(Serdes.string()).value(Serdes.longs()));
  }

  private static final class Counter implements Processor<String, String, Long> {
    private final Keeping keeping;
    private final Map<String, Long> field = new HashMap<>();
    private @Nullable KeyValueStore<String, Long> store;

    Counter(Keeping keeping) {
      this.keeping = keeping;
    }

    @Override
    public void open(ProcessorContext<String> context) {
      store = context.store(COUNTS);
    }

    @Override
    public void process(Records<String, String> records, Output<Long> out) {
      if (keeping == Keeping.FOR_A_BATCH) {
        field.clear();
      }
      while (records.next()) {
        String key = Objects.requireNonNull(records.key());
        if (records.value().equals("poison")) {
          throw new IllegalArgumentException("This cannot be counted.");
        }
        out.emit(keeping == Keeping.IN_A_STORE ? inStore(key) : field.merge(key, 1L, Long::sum));
      }
    }

    private long inStore(String key) {
      KeyValueStore<String, Long> counts = Objects.requireNonNull(store);
      long count = Objects.requireNonNullElse(counts.get(key), 0L) + 1;
      counts.put(key, count);
      return count;
    }
  }
}
