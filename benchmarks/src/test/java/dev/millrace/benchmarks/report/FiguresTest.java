package dev.millrace.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FiguresTest {
  private static final Figure FIGURE =
      new Figure(
          "recovery",
          "Time < 1 s & more",
          Map.of("runs", 3),
          List.of("keys", "lost"),
          List.of(List.of(10L, "6 %"), List.of(20L, "50 %")),
          new Plot(
              "keys",
              "seconds",
              List.of("10", "20"),
              List.of(new Line("6 %", List.of(0.0, 4.0)), new Line("50 %", List.of(1.0, 2.0)))));

  @TempDir private Path directory;

  @Test
  void jsonHoldsRowsAsObjects() throws IOException {
    Path file = directory.resolve("figure.json");
    Figures.writeJson(FIGURE, file);
    JsonNode read = JsonMapper.shared().readTree(Files.readString(file));
    assertEquals("recovery", read.get("name").stringValue());
    assertEquals(3, read.get("facts").get("runs").intValue());
    assertEquals(20, read.get("rows").get(1).get("keys").intValue());
    assertEquals("50 %", read.get("rows").get(1).get("lost").stringValue());
  }

  @Test
  void aPlotIsWellFormedAndItsPointsLieWhereTheirValuesSay()
      throws IOException, ParserConfigurationException, SAXException {
    Path file = directory.resolve("figure.svg");
    Figures.writeSvg(FIGURE, file);
    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    var lines = svg.getElementsByTagName("polyline");
    assertEquals(2, lines.getLength());
    String[] points = ((Element) lines.item(0)).getAttribute("points").split("[ ,]");
    assertEquals(4, points.length);
    // The axis ends at 5: 0 lies at its bottom, 4 at four fifths of its height.
    assertEquals(360, Double.parseDouble(points[1]), 0.1);
    assertEquals(360 - 312 * 0.8, Double.parseDouble(points[3]), 0.1);
    assertTrue(Double.parseDouble(points[0]) < Double.parseDouble(points[2]));
    assertEquals("Time < 1 s & more", svg.getElementsByTagName("text").item(0).getTextContent());
  }
}
