package dev.millrace.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The metrics of a container as they were at one moment.
///
/// @param from where they were read, such as `127.0.0.1:8080`
/// @param nanos when, by the clock of this process
record Scrape(String from, long nanos, List<Sample> samples) {
  private static final String PREFIX = "millrace_";

  /// @param name without `millrace_`
  record Sample(String name, Map<String, String> labels, double value) {
    String label(String label) {
      return labels.getOrDefault(label, "");
    }
  }

  /// Reads the text format of Prometheus as Millrace writes it; what is not Millrace's is left out.
  static Scrape read(String from, long nanos, String text) {
    List<Sample> samples = new ArrayList<>();
    for (String line : text.lines().toList()) {
      int labels = line.indexOf('{');
      int value = line.lastIndexOf("} ");
      if (line.startsWith(PREFIX) && labels > 0 && value > labels) {
        samples.add(
            new Sample(
                line.substring(PREFIX.length(), labels),
                labels(line.substring(labels + 1, value)),
                Double.parseDouble(line.substring(value + 2))));
      }
    }
    return new Scrape(from, nanos, samples);
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    int at = 0;
    for (int equals = text.indexOf('=', at); equals > 0; equals = text.indexOf('=', at)) {
      StringBuilder value = new StringBuilder();
      int end = equals + 2;
      for (; end < text.length() && text.charAt(end) != '"'; end++) {
        boolean escaped = text.charAt(end) == '\\' && end + 1 < text.length();
        char next = text.charAt(escaped ? ++end : end);
        value.append(escaped && next == 'n' ? '\n' : next);
      }
      labels.put(text.substring(at, equals), value.toString());
      at = Math.min(text.length(), end + 2);
    }
    return labels;
  }

  /// Returns the name of the application; empty if these are no metrics of one.
  String application() {
    return samples.isEmpty() ? "" : samples.getFirst().label("application");
  }

  String container() {
    return samples.isEmpty() ? "" : samples.getFirst().label("container");
  }

  /// Returns the state of the job, such as `RUNNING`.
  String state() {
    return samples.stream()
        .filter(sample -> sample.name().equals("job_state") && sample.value() > 0)
        .map(sample -> sample.label("state"))
        .findFirst()
        .orElse("");
  }

  List<Sample> all(String name) {
    return samples.stream().filter(sample -> sample.name().equals(name)).toList();
  }

  double sum(String name) {
    return sum(name, _ -> true);
  }

  double sum(String name, Predicate<Sample> of) {
    return all(name).stream().filter(of).mapToDouble(Sample::value).sum();
  }

  double max(String name) {
    return all(name).stream().mapToDouble(Sample::value).max().orElse(0);
  }
}
