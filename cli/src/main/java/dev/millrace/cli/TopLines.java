package dev.millrace.cli;

import dev.millrace.cli.Scrape.Sample;
import dev.millrace.internal.engine.metrics.Activity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Formats the output of `millrace top`, in lines of at most 80 columns: the operators in the
/// plan's order with their share of the workers' time and their rows, what the workers do besides,
/// and how the job is.
final class TopLines {
  static final int COLUMNS = 80;
  private static final int OPERATOR = 27;
  private static final int FUNCTION = 17;
  private static final int BAR = 9;
  private static final double NANOS = 1e9;
  private static final String PARTS = " ▏▎▍▌▋▊▉█";

  private final List<Scrape> before;
  private final List<Scrape> now;

  /// By stage and name.
  private final Map<String, Operator> operators = new LinkedHashMap<>();

  /// The workers' time since the scrapes before, of all of them together, in seconds.
  private double time;

  private static final class Operator {
    private final String stage;
    private final String name;
    private final String function;
    private double share;
    private double in;
    private double out;

    Operator(Sample sample) {
      stage = sample.label("stage");
      name = sample.label("operator");
      function = sample.label("function");
    }
  }

  /// @param before the scrapes of a moment ago
  /// @param now those of containers that have answered both times
  TopLines(List<Scrape> before, List<Scrape> now) {
    this.before = before;
    this.now = now;
    for (Scrape each : now) {
      time += rate("worker_seconds_total", each, _ -> true) * seconds(each);
      for (Sample sample : each.all("operator_busy_seconds_total")) {
        Operator operator =
            operators.computeIfAbsent(
                sample.label("stage") + " " + sample.label("operator"), _ -> new Operator(sample));
        Predicate<Sample> same =
            other ->
                other.label("stage").equals(operator.stage)
                    && other.label("operator").equals(operator.name);
        operator.share += rate("operator_busy_seconds_total", each, same) * seconds(each);
        operator.in += rate("operator_rows_in_total", each, same);
        operator.out += rate("operator_rows_out_total", each, same);
      }
    }
    operators.values().forEach(each -> each.share = share(each.share));
  }

  private double share(double seconds) {
    return time > 0 ? Math.min(1, seconds / time) : 0;
  }

  private Scrape earlier(Scrape of) {
    return before.stream().filter(each -> each.from().equals(of.from())).findFirst().orElse(of);
  }

  private double seconds(Scrape of) {
    return (of.nanos() - earlier(of).nanos()) / NANOS;
  }

  /// Returns the growth of a counter a second; 0 if the container was restarted meanwhile.
  private double rate(String counter, Scrape of, Predicate<Sample> samples) {
    double seconds = seconds(of);
    double grown = of.sum(counter, samples) - earlier(of).sum(counter, samples);
    return seconds <= 0 || grown < 0 ? 0 : grown / seconds;
  }

  private double rate(String counter) {
    return now.stream().mapToDouble(each -> rate(counter, each, _ -> true)).sum();
  }

  /// Returns the lines.
  ///
  /// @param most how many there may be; the operators that take least are left out for it
  List<String> lines(int most) {
    List<String> around = besides();
    List<String> lines = new ArrayList<>();
    lines.add(title());
    lines.add(rates());
    lines.add(busy());
    lines.add("");
    lines.add(line("STAGE, OPERATOR", "FUNCTION", " BUSY", " IN/S", " OUT/S", ""));
    int room = Math.max(1, most - lines.size() - around.size() - 1);
    List<Operator> shown = shown(room);
    String stage = "";
    for (Operator each : shown) {
      String of = each.stage.equals(stage) ? "" : each.stage;
      stage = each.stage;
      lines.add(
          line(
              "%-2s ".formatted(of) + each.name,
              each.function,
              percent(each.share),
              count(each.in),
              count(each.out),
              bar(each.share)));
    }
    int left = operators.size() - shown.size();
    if (left > 0) {
      lines.add("   and %d more that take less".formatted(left));
    }
    lines.addAll(around);
    return lines;
  }

  /// Returns the operators that take most, in the plan's order.
  private List<Operator> shown(int most) {
    int count = operators.size() <= most ? most : most - 1;
    List<Operator> longest =
        operators.values().stream()
            .sorted(Comparator.comparingDouble((Operator each) -> -each.share))
            .limit(Math.max(1, count))
            .toList();
    return operators.values().stream().filter(longest::contains).toList();
  }

  private String title() {
    Map<String, Long> states = new LinkedHashMap<>();
    now.forEach(each -> states.merge(each.state(), 1L, Long::sum));
    List<String> said = new ArrayList<>();
    states.forEach((state, many) -> said.add(states.size() == 1 ? state : many + " " + state));
    return cut(
        "%s: %s, %s, %s"
            .formatted(
                now.getFirst().application(),
                plural(now.size(), "container"),
                plural(now.stream().mapToInt(each -> workers(each).size()).sum(), "worker"),
                String.join(", ", said)),
        COLUMNS);
  }

  private String rates() {
    double p99 =
        now.stream().mapToDouble(each -> each.max("input_to_commit_p99_seconds")).max().orElse(0);
    double lag = now.stream().mapToDouble(each -> each.sum("lag_records")).sum();
    return cut(
        "in %s/s   out %s/s   lag %s   %s commits/s   p99 %s since the start"
            .formatted(
                count(ofKind("source '", each -> each.in)),
                count(ofKind("sink '", each -> each.out)),
                count(lag),
                count(rate("commits_total")),
                p99 == 0 ? "-" : String.format(Locale.ROOT, "%.2f s", p99)),
        COLUMNS);
  }

  private double ofKind(String kind, ToDoubleFunction<Operator> rows) {
    return operators.values().stream()
        .filter(each -> each.name.startsWith(kind))
        .mapToDouble(rows)
        .sum();
  }

  private String busy() {
    List<String> said = new ArrayList<>();
    for (Scrape each : now) {
      List<String> shares = workers(each).stream().map(TopLines::percent).toList();
      said.add(
          (now.size() == 1 ? "" : "container " + each.container() + ": ")
              + String.join(", ", shares));
    }
    return cut("workers busy: " + String.join("; ", said), COLUMNS);
  }

  /// Returns the share of each worker's time in which it does not wait.
  private List<Double> workers(Scrape of) {
    List<Double> busy = new ArrayList<>();
    List<String> numbers =
        of.all("worker_seconds_total").stream()
            .map(sample -> sample.label("worker"))
            .distinct()
            .toList();
    for (String number : numbers) {
      Predicate<Sample> own = sample -> sample.label("worker").equals(number);
      double all = rate("worker_seconds_total", of, own);
      double waited =
          rate(
              "worker_seconds_total",
              of,
              own.and(sample -> sample.label("activity").startsWith("wait")));
      busy.add(all > 0 ? Math.clamp((all - waited) / all, 0, 1) : 0);
    }
    return busy;
  }

  /// Returns what the workers do besides, each a line as those of operators are.
  private List<String> besides() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    Stream.of(Activity.values())
        .sorted(Comparator.comparing(Activity::waits))
        .forEach(activity -> {
          double seconds =
              now.stream()
                  .mapToDouble(each ->
                      rate(
                              "worker_seconds_total",
                              each,
                              sample -> sample.label("activity").equals(activity.label()))
                          * seconds(each))
                  .sum();
          if (seconds > 0) {
            double share = share(seconds);
            lines.add(line("   " + words(activity), "", percent(share), "", "", bar(share)));
          }
        });
    return lines;
  }

  private static String words(Activity activity) {
    return switch (activity) {
      case WAIT_INPUT -> "waiting for input";
      case WAIT_ROOM -> "waiting for room to write";
      case WAIT_ANSWERS -> "waiting for answers";
      case WAIT_COMMIT -> "waiting for a commit";
      case FETCH -> "fetching";
      case COMMIT -> "handing over, committing";
      case FLUSH -> "flushing";
      case RESTORE -> "restoring";
      case OTHER -> "other";
    };
  }

  private static String line(
      String operator, String function, String busy, String in, String out, String bar) {
    String text =
        "%s %s %5s %6s %6s  %s"
            .formatted(
                TextTable.padded(cut(operator, OPERATOR + 3), OPERATOR + 3),
                TextTable.padded(cut(function, FUNCTION), FUNCTION),
                busy,
                in,
                out,
                bar);
    return text.stripTrailing();
  }

  /// Returns a text of at most so many columns; what matters of a long one is often its end.
  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int head = most * 2 / 3;
    return text.substring(0, head) + "…" + text.substring(text.length() - (most - head - 1));
  }

  private static String percent(double share) {
    return share > 0 && share < 0.005 ? "<1 %" : String.format(Locale.ROOT, "%.0f %%", share * 100);
  }

  /// Returns a number in at most six columns.
  private static String count(double number) {
    if (number > 0 && number < 10) {
      return String.format(Locale.ROOT, "%.1f", number);
    }
    if (number < 10_000) {
      return String.format(Locale.ROOT, "%.0f", number);
    }
    if (number < 1e6) {
      return String.format(Locale.ROOT, "%.1fk", number / 1e3);
    }
    return number < 1e9
        ? String.format(Locale.ROOT, "%.1fM", number / 1e6)
        : String.format(Locale.ROOT, "%.1fG", number / 1e9);
  }

  private static String bar(double share) {
    long eighths = Math.round(share * BAR * 8);
    StringBuilder bar = new StringBuilder("█".repeat((int) (eighths / 8)));
    if (eighths % 8 > 0) {
      bar.append(PARTS.charAt((int) (eighths % 8)));
    }
    return bar.toString();
  }

  private static String plural(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
