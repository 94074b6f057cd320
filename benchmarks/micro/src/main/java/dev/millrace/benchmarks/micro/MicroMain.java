package dev.millrace.benchmarks.micro;

import dev.millrace.benchmarks.process.Parent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import tools.jackson.databind.json.JsonMapper;

/// Runs benchmarks, one after the other, each in JVMs of its own.
public final class MicroMain {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private MicroMain() {}

  /// @param args a regular expression of names, the number of JVMs for each, and a directory for
  ///   what JMH says; the results go to `results.json` there
  public static void main(String[] args) throws IOException, RunnerException {
    Parent.endWithIt();
    Path directory = Path.of(args[2]);
    List<Map<String, Object>> results = new ArrayList<>();
    List<String> names = names(args[0]);
    for (int i = 0; i < names.size(); i++) {
      Parent.tell(
          "progress", "%s, %d of %d".formatted(shortName(names.get(i)), i + 1, names.size()));
      results.addAll(run(names.get(i), Integer.parseInt(args[1]), directory));
    }
    Files.writeString(
        directory.resolve("results.json"), JsonMapper.shared().writeValueAsString(results));
    Parent.tell("done", results.size());
    System.exit(0); // does not wait for threads of JMH
  }

  /// Class and method of a benchmark.
  private static String shortName(String name) {
    return name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
  }

  /// Names of the benchmarks in which an expression is found.
  static List<String> names(String only) {
    Pattern pattern = Pattern.compile(only);
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
    return BenchmarkList.defaultList().getAll(silent, List.of()).stream()
        .map(BenchmarkListEntry::getUsername)
        .filter(name -> pattern.matcher(name).find())
        .sorted()
        .toList();
  }

  private static List<Map<String, Object>> run(String name, int forks, Path directory)
      throws RunnerException {
    return results(
        options(name)
            .forks(forks)
            .warmupIterations(4)
            .warmupTime(TimeValue.milliseconds(500))
            .measurementIterations(5)
            .measurementTime(TimeValue.milliseconds(500))
            .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
            .output(directory.resolve(name + ".txt").toString()));
  }

  /// Runs a benchmark once and shortly, in this JVM.
  static List<Map<String, Object>> runShortly(String name, Path said) throws RunnerException {
    return results(
        options(name)
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(2))
            .param("keys", "100")
            .param("others", "1")
            .output(said.toString()));
  }

  private static ChainedOptionsBuilder options(String name) {
    return new OptionsBuilder()
        .include("^" + Pattern.quote(name) + "$")
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .shouldFailOnError(true)
        .addProfiler(GCProfiler.class);
  }

  private static List<Map<String, Object>> results(ChainedOptionsBuilder options)
      throws RunnerException {
    return new Runner(options.build()).run().stream().map(MicroMain::result).toList();
  }

  private static Map<String, Object> result(RunResult run) {
    BenchmarkParams params = run.getParams();
    Map<String, Object> result = new LinkedHashMap<>();
    String name = params.getBenchmark();
    result.put("benchmark", shortName(name));
    result.put("what", what(name));
    Map<String, String> settings = new LinkedHashMap<>();
    params.getParamsKeys().forEach(key -> settings.put(key, params.getParam(key)));
    result.put("params", settings);
    // One number a JVM, as two JVMs may compile the same code differently.
    List<Double> nanos = new ArrayList<>();
    for (BenchmarkResult fork : run.getBenchmarkResults()) {
      nanos.add(fork.getPrimaryResult().getScore());
    }
    result.put("nanos", nanos);
    result.put(
        "bytes", Objects.requireNonNull(run.getSecondaryResults().get(ALLOCATED)).getScore());
    return result;
  }

  /// The words of a benchmark.
  static String what(String name) {
    int dot = name.lastIndexOf('.');
    try {
      What what =
          Class.forName(name.substring(0, dot))
              .getMethod(name.substring(dot + 1))
              .getAnnotation(What.class);
      if (what == null) {
        throw new IllegalStateException(name + " has no @What.");
      }
      return what.value();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name + " is listed and is no method.", e);
    }
  }
}
