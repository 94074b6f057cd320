package dev.millrace.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The metrics of a container as they were at one moment.
///
/// @param from where they were read, such as `127.0.0.1:8080`
/// @param nanos when, by the clock of this process
record Scrape(String from, long nanos, List<Sample> samples) {
  private static final Pattern LINE = Pattern.compile("([a-z0-9_]+)\\{(.*)} (\\S+)");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /// @param name without `millrace_`
  record Sample(String name, Map<String, String> labels, double value) {
    String label(String label) {
      return labels.getOrDefault(label, "");
    }
  }

  /// Reads the text format of Prometheus as Millrace writes it; what is not Millrace's is left out.
  static Scrape read(String from, long nanos, String text) {
    List<Sample> samples = new ArrayList<>();
    text.lines()
        .filter(line -> line.startsWith("millrace_"))
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(line ->
            samples.add(
                new Sample(
                    line.group(1).substring("millrace_".length()),
                    labels(line.group(2)),
                    Double.parseDouble(line.group(3)))));
    return new Scrape(from, nanos, samples);
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.put(
          label.group(1), label.group(2).replaceAll("\\\\n", "\n").replaceAll("\\\\(.)", "$1"));
    }
    return labels;
  }

  /// The name of the application; empty if these are no metrics of one.
  String application() {
    return samples.isEmpty() ? "" : samples.getFirst().label("application");
  }

  String container() {
    return samples.isEmpty() ? "" : samples.getFirst().label("container");
  }

  /// The state of the job, such as `RUNNING`.
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
