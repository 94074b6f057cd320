package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.internal.cluster.view.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// What is written without a library is read by one.
class JsonTextTest {
  private static final String ODD = "a\"\\/\b\n\t\u0000\u001f\u007fé漢\ud83d\ude00\u2028";

  @Test
  void whatWasWrittenIsRead() {
    for (long seed = 0; seed < 500; seed++) {
      Map<String, Object> drawn = object(new Random(seed), 3);
      String text = JsonText.of(drawn);
      assertEquals(drawn, JsonMapper.builder().build().readValue(text, Map.class), text);
    }
  }

  @Test
  void whatHasNoFormIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> JsonText.of(Map.of("a", 'c')));
  }

  private static Map<String, Object> object(Random random, int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      object.put(string(random), value(random, depth));
    }
    return object;
  }

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 6)) {
      case 0 -> string(random);
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt();
      case 3 -> (1L << 40) + random.nextInt();
      case 4 -> object(random, depth - 1);
      default -> list(random, depth - 1);
    };
  }

  private static List<Object> list(Random random, int depth) {
    List<Object> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(value(random, depth));
    }
    return list;
  }

  private static String string(Random random) {
    int[] points = ODD.codePoints().toArray();
    StringBuilder string = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      string.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return string.toString();
  }
}
