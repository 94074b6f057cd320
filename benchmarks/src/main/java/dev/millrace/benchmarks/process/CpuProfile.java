package dev.millrace.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/// Where the processor time of this process goes between two moments: of threads that run Java by
/// samples of the JDK's flight recorder, a hundred for each second of processor time, of the JVM's
/// own by what Linux counts. Kernel time stands at the method that called into the kernel.
public final class CpuProfile {
  private static final String EVENT = "jdk.CPUTimeSample";

  /// Of what is counted in `/proc`, in which Linux always has a hundred a second.
  private static final double TICKS = 100;

  private static final Map<String, Pattern> OWN =
      new LinkedHashMap<>(
          Map.of(
              "JIT compilers", Pattern.compile("C[12] Compiler.*"),
              "garbage collection", Pattern.compile("(GC Thread|G1 |VM Thread).*"),
              "the rest of the JVM",
                  Pattern.compile(
                      "(VM Periodic|Service Thread|Monitor Defl|JFR |Common-Clean).*")));

  private final Recording recording = new Recording();
  private final Map<String, Double> before;

  /// What some of the time went to.
  ///
  /// @param what a method, or what the JVM did by itself
  public record Cost(String what, double cpuSeconds) {}

  /// Samples of threads that run Java.
  ///
  /// @param inside those with something in particular on their stacks
  public record Samples(long all, long inside) {
    public Samples plus(Samples other) {
      return new Samples(all + other.all, inside + other.inside);
    }
  }

  private CpuProfile() {
    recording.enable(EVENT).with("throttle", "10ms").withStackTrace();
    before = own();
    recording.start();
  }

  /// Begins.
  public static CpuProfile start() {
    return new CpuProfile();
  }

  /// Ends, and keeps what was seen.
  ///
  /// @param file for the recording; what the JVM's own threads took is written beside it
  public void end(Path file) throws IOException {
    recording.stop();
    Map<String, Double> after = own();
    recording.dump(file);
    recording.close();
    Files.write(
        beside(file),
        after.entrySet().stream()
            .map(each ->
                each.getKey() + "\t" + (each.getValue() - before.getOrDefault(each.getKey(), 0.0)))
            .toList());
  }

  private static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + ".jvm");
  }

  /// What was seen, the largest first.
  public static List<Cost> costs(Path file) throws IOException {
    Map<String, Double> seconds = new HashMap<>();
    for (String line : Files.readAllLines(beside(file))) {
      int tab = line.indexOf('\t');
      seconds.put(line.substring(0, tab), Double.parseDouble(line.substring(tab + 1)));
    }
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals(EVENT)) {
          seconds.merge(
              method(event.getStackTrace()),
              event.getDuration("samplingPeriod").toNanos() / 1e9,
              Double::sum);
        }
      }
    }
    return seconds.entrySet().stream()
        .map(each -> new Cost(each.getKey(), each.getValue()))
        .sorted(Comparator.comparingDouble(Cost::cpuSeconds).reversed())
        .toList();
  }

  /// How often one of some classes was at work, or what it had called.
  ///
  /// @param types their names, with those of the packages
  public static Samples samples(Path file, Predicate<String> types) throws IOException {
    long all = 0;
    long inside = 0;
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals(EVENT)) {
          all++;
          RecordedStackTrace stack = event.getStackTrace();
          boolean found =
              stack != null
                  && stack.getFrames().stream()
                      .anyMatch(frame -> types.test(frame.getMethod().getType().getName()));
          inside += found ? 1 : 0;
        }
      }
    }
    return new Samples(all, inside);
  }

  private static String method(RecordedStackTrace stack) {
    if (stack == null || stack.getFrames().isEmpty()) {
      return "without a readable stack";
    }
    RecordedFrame top = stack.getFrames().getFirst();
    RecordedMethod method = top.getMethod();
    // Hidden classes have an address in their names.
    String type = method.getType().getName().replaceAll("/0x[0-9a-f]+", "");
    return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
  }

  /// Seconds of processor time that the JVM's own threads have taken so far.
  private static Map<String, Double> own() {
    Map<String, Double> seconds = new HashMap<>();
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      threads.forEach(thread -> add(thread.resolve("stat"), seconds));
    } catch (IOException _) {
      return Map.of(); // another system
    }
    return seconds;
  }

  private static void add(Path stat, Map<String, Double> seconds) {
    String line;
    try {
      line = Files.readString(stat);
    } catch (IOException _) {
      return; // the thread has ended
    }
    int end = line.lastIndexOf(')');
    String name = line.substring(line.indexOf('(') + 1, end);
    String[] fields = line.substring(end + 2).split(" ");
    // The 14th and 15th of all, of which the first two stand before this.
    double ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    OWN.forEach((what, names) -> {
      if (names.matcher(name).matches()) {
        seconds.merge(what, ticks / TICKS, Double::sum);
      }
    });
  }
}
