package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.millrace.engine.Engine;
import dev.millrace.engine.commit.Failure;
import dev.millrace.engine.loop.TaskMetrics;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/// A job of one task that does what its records say, one word after the other, to a note it keeps:
/// `put WORD` and `delete` change it, `get` emits it, `grow N` puts N characters and emits nothing,
/// `stop` returns without having read the rest, `close` has it fail when it is closed, anything
/// else does nothing. A number before the command is the event time.
final class Notes implements StreamApplication {
  static final String NAME = "notes";
  private static final Split IN = new Split("in", 0);
  private static final int STEPS = 100_000;

  private final boolean bounded;

  Notes(boolean bounded) {
    this.bounded = bounded;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void describe(Topology topology) {
    StoreSpec<String, String> notes = StoreSpec.keyValue("notes", Serdes.string(), Serdes.string());
    var in =
        Kafka.topic("in")
            .key(Serdes.string())
            .value(Serdes.string())
            .eventTime(value -> Instant.ofEpochMilli(Long.parseLong(value.split(" ")[0])));
    topology
        .from(bounded ? in.asBounded() : in)
        .process("keeper", () -> new Keeper(notes), notes)
        .to(Kafka.topic("out").key(Serdes.string()).value(Serdes.string()));
  }

  private static final class Keeper implements Processor<String, String, String> {
    private final StoreSpec<String, String> spec;
    private KeyValueStore<String, String> notes;
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
      while (records.next()) {
        String[] words = records.value().split(" ");
        switch (words[1]) {
          case "put" -> notes.put(records.key(), words[2]);
          case "grow" -> notes.put(records.key(), "x".repeat(Integer.parseInt(words[2])));
          case "delete" -> notes.delete(records.key());
          case "get" -> out.emit(Objects.requireNonNullElse(notes.get(records.key()), "nothing"));
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

  /// A simulated run of it.
  static final class Run {
    final Simulation simulation;

    Run(boolean bounded, SimulationSettings settings) {
      simulation = new Simulation(1, new Notes(bounded), settings);
      simulation.log().createTopic("in", 1);
      simulation.log().createTopic("out", 1);
    }

    /// Appends a record to the input.
    ///
    /// @param command with an event time before it, or 1 if it has none
    Run add(String key, String command) {
      String timed = command.matches("-?\\d.*") ? command : "1 " + command;
      simulation
          .log()
          .append(
              IN,
              0,
              key.getBytes(StandardCharsets.UTF_8),
              timed.getBytes(StandardCharsets.UTF_8),
              new byte[0]);
      return this;
    }

    /// Runs until all of the input is processed, and committed.
    Run process() {
      simulation.startAll();
      long end = Objects.requireNonNull(simulation.log().offsets(List.of(IN)).get(IN)).end();
      long most = simulation.steps() + STEPS;
      while (simulation.log().committedPositions(NAME).getOrDefault(IN, 0L) < end) {
        simulation.step();
        assertTrue(simulation.steps() < most, simulation::state);
      }
      return this;
    }

    void complete() {
      simulation.startAll();
      simulation.runToCompletion(STEPS);
    }

    /// Runs until it ends with a failure.
    Failure fail(Failure.Kind kind) {
      simulation.startAll();
      int before = simulation.failures().size();
      long most = simulation.steps() + STEPS;
      while (simulation.failures().size() == before) {
        simulation.step();
        assertTrue(simulation.steps() < most, "It goes on.");
      }
      Failure failure = simulation.failures().getLast();
      assertEquals(kind, failure.kind(), failure::message);
      return failure;
    }

    long sum(ToLongFunction<TaskMetrics> metric) {
      Engine engine = Objects.requireNonNull(simulation.engine(0));
      return engine.taskMetrics().values().stream().mapToLong(metric).sum();
    }

    /// What was emitted.
    List<String> out() {
      return simulation.log().records("out").stream().map(ModelRecord::valueText).toList();
    }
  }
}
