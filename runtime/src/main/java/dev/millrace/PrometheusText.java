package dev.millrace;

import java.util.List;
import java.util.Map;

/// Writes metrics in the text format of Prometheus, version 0.0.4.
final class PrometheusText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private PrometheusText() {}

  /// @param common labels of every point
  static String write(List<MetricFamily> families, Map<String, String> common) {
    StringBuilder text = new StringBuilder();
    for (MetricFamily family : families) {
      String kind =
          switch (family.kind()) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
          };
      text.append("# HELP ").append(family.name()).append(' ');
      text.append(family.help().replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
      text.append("# TYPE ").append(family.name()).append(' ').append(kind).append('\n');
      for (MetricFamily.Point point : family.points()) {
        text.append(family.name()).append('{');
        String between = labels(common, "", text);
        labels(point.labels(), between, text);
        text.append("} ").append(number(point.value())).append('\n');
      }
    }
    return text.toString();
  }

  private static String labels(Map<String, String> labels, String first, StringBuilder text) {
    String between = first;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      text.append(between).append(label.getKey()).append("=\"");
      text.append(
          label.getValue().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
      text.append('"');
      between = ",";
    }
    return between;
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
