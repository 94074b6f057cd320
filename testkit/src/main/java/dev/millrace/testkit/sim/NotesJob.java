package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.KeyPool;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// [Notes] that are put, deleted and read all the time: what was deleted must never be back.
final class NotesJob implements DrawnJob {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 250;
  private static final List<String> COMMANDS = List.of("put", "put", "delete", "get", "get");

  private record Command(String key, String text) {}

  private final String prefix;
  private final SimulationSettings settings;
  private final List<Command> commands = new ArrayList<>();
  private final Map<String, List<String>> expected = new TreeMap<>();
  private final Map<String, String> notes = new TreeMap<>();

  private NotesJob(long seed, String prefix) {
    this.prefix = prefix;
    settings = SimulationSettings.drawn(seed, prefix + "in");
    Seed random = new Seed(seed).fork("commands");
    KeyPool keys = KeyPool.drawn(random.fork("keys"), 15);
    for (int i = 0; i < RECORDS; i++) {
      String key = keys.any(random);
      String command = random.pick(COMMANDS);
      commands.add(new Command(key, i + " " + command + " note-" + i));
      switch (command) {
        case "put" -> notes.put(key, "note-" + i);
        case "delete" -> notes.remove(key);
        default ->
            expected
                .computeIfAbsent(key, _ -> new ArrayList<>())
                .add(notes.getOrDefault(key, "nothing"));
      }
    }
  }

  /// A job of a shape drawn from the seed.
  static NotesJob drawn(long seed, String prefix) {
    return new NotesJob(seed, prefix);
  }

  @Override
  public StreamApplication application() {
    return new Notes(prefix, true);
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    return new TreeMap<>(Map.of(prefix + "in", PARTITIONS, prefix + "out", PARTITIONS));
  }

  @Override
  public List<InputRecord> input() {
    List<InputRecord> input = new ArrayList<>();
    for (Command command : commands) {
      Bytes key = Bytes.ofUtf8(command.key());
      Split split = new Split(prefix + "in", Partitioner.partition(key, PARTITIONS));
      input.add(new InputRecord(split, 0, key, Bytes.ofUtf8(command.text())));
    }
    return input;
  }

  @Override
  public void requireExact(Written written) {
    Map<String, List<String>> found = new TreeMap<>();
    for (ModelRecord record : written.records(prefix + "out")) {
      found
          .computeIfAbsent(Objects.requireNonNull(record.keyText()), _ -> new ArrayList<>())
          .add(Objects.requireNonNull(record.valueText()));
    }
    Scenario.requireEqual("topic 'out'", expected, found);
    Scenario.requireEqual(
        "store 'notes'", notes, written.store("notes", Serdes.string(), Serdes.string()));
  }
}
