package dev.millrace.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The serde beside a tree of the whole text, which knows nothing of records.
class JsonPropertyTest {
  private static final JsonMapper TREES = JsonMapper.builder().build();
  private static final int VALUES = 2_000;

  enum Kind {
    ONE,
    OTHER
  }

  record Line(String text, int amount) {}

  record Event(
      long id,
      String name,
      Kind kind,
      boolean open,
      Instant at,
      List<Line> lines,
      Optional<String> note) {}

  private static final Serde<Event> SERDE = Json.json(Event.class);

  private static Event event(Random random) {
    List<Line> lines = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      lines.add(new Line(text(random), random.nextInt()));
    }
    return new Event(
        random.nextLong(),
        text(random),
        Kind.values()[random.nextInt(2)],
        random.nextBoolean(),
        Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
        lines,
        random.nextBoolean() ? Optional.of(text(random)) : Optional.empty());
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(9); i > 0; i--) {
      text.appendCodePoint("a\"\\\n\u0001ß€/😀 ".codePoints().toArray()[random.nextInt(10)]);
    }
    return text.toString();
  }

  @Test
  void aTreeFindsEachComponentInWhatIsWritten() {
    long seed = 4_711;
    Random random = new Random(seed);
    BytesWriter out = new BytesWriter();
    for (int i = 0; i < VALUES; i++) {
      Event event = event(random);
      SERDE.write(event, out.clear());
      JsonNode tree = TREES.readTree(out.toByteArray());
      assertEquals(tree(event, random, false), tree, () -> "seed " + seed);
      assertEquals(event, SERDE.read(out.view(new Bytes(), 0)));
    }
  }

  @Test
  void whatATreeWritesInAnyOrderAndWithMoreIsRead() {
    long seed = 815;
    Random random = new Random(seed);
    for (int i = 0; i < VALUES; i++) {
      Event event = event(random);
      byte[] text =
          TREES.writeValueAsString(tree(event, random, true)).getBytes(StandardCharsets.UTF_8);
      byte[] around = new byte[text.length + 7];
      System.arraycopy(text, 0, around, 3, text.length);
      assertEquals(
          event, SERDE.read(new Bytes().set(around, 3, text.length)), () -> "seed " + seed);
    }
  }

  /// The text of an event as a tree.
  ///
  /// @param foreign whether properties are in any order and there are some that nobody knows
  private static ObjectNode tree(Event event, Random random, boolean foreign) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    ObjectNode ordered = nodes.objectNode();
    ordered.put("id", event.id());
    ordered.put("name", event.name());
    ordered.put("kind", event.kind().name());
    ordered.put("open", event.open());
    ordered.put("at", event.at().toString());
    var lines = ordered.putArray("lines");
    for (Line line : event.lines()) {
      lines.addObject().put("text", line.text()).put("amount", line.amount());
    }
    if (event.note().isPresent()) {
      ordered.put("note", event.note().get());
    } else {
      ordered.putNull("note");
    }
    if (!foreign) {
      return ordered;
    }
    ordered.putObject("more").putArray("deep").add(1).add(nodes.objectNode().put("x", true));
    List<String> names = new ArrayList<>(ordered.propertyNames());
    Collections.shuffle(names, random);
    ObjectNode shuffled = nodes.objectNode();
    names.forEach(name -> shuffled.set(name, ordered.get(name)));
    return shuffled;
  }
}
