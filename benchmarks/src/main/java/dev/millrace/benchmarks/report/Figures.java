package dev.millrace.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes figures to files.
public final class Figures {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Figures() {}

  /// Everything but the plots, as JSON: `name`, `title`, `facts`, `rows` as objects, and `results`
  /// if there are any.
  public static void writeJson(Figure figure, Path file) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", figure.name());
    all.put("title", figure.title());
    all.put("facts", figure.facts());
    all.put(
        "rows",
        figure.rows().stream()
            .map(row -> {
              Map<String, Object> cells = new LinkedHashMap<>();
              for (int i = 0; i < row.size(); i++) {
                cells.put(figure.columns().get(i), row.get(i));
              }
              return cells;
            })
            .toList());
    if (!figure.results().isEmpty()) {
      all.put("results", figure.results());
    }
    Files.writeString(file, JSON.writeValueAsString(all) + "\n");
  }

  /// The plots, as SVG.
  public static void writeSvg(Figure figure, Path file) throws IOException {
    Files.writeString(file, Svg.of(figure));
  }
}
