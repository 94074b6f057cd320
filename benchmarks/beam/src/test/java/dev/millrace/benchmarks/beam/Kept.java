package dev.millrace.benchmarks.beam;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;

/// Keeps results as state, where each is once, and writes all of them to files when event time has
/// ended. A file that is written again after a kill is the same.
final class Kept extends PTransform<PCollection<String>, PDone> {
  private static final int FILES = 4;

  private final String directory;

  /// @param directory where the files come
  Kept(Path directory) {
    this.directory = directory.toString();
  }

  @Override
  public PDone expand(PCollection<String> results) {
    results
        .apply(MapElements.via(new ByFile()))
        .setCoder(KvCoder.of(VarIntCoder.of(), StringUtf8Coder.of()))
        .apply(Window.into(new GlobalWindows()))
        .apply(ParDo.of(new Keep(directory)));
    return PDone.in(results.getPipeline());
  }

  /// How often each result is in the files of a directory.
  static Map<String, Long> counted(Path directory) throws IOException {
    Map<String, Long> counted = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.readAllLines(file).forEach(line -> counted.merge(line, 1L, Long::sum));
      }
    }
    return counted;
  }

  private static final class ByFile extends SimpleFunction<String, KV<Integer, String>> {
    @Override
    public KV<Integer, String> apply(String result) {
      return KV.of(Math.floorMod(result.hashCode(), FILES), result);
    }
  }

  private static final class Keep extends DoFn<KV<Integer, String>, Void> {
    private final String directory;

    @StateId("results")
    private final StateSpec<BagState<String>> results = StateSpecs.bag(StringUtf8Coder.of());

    @StateId("file")
    private final StateSpec<ValueState<Integer>> file = StateSpecs.value(VarIntCoder.of());

    @TimerId("end")
    private final TimerSpec end = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    Keep(String directory) {
      this.directory = directory;
    }

    @ProcessElement
    public void process(
        @Element KV<Integer, String> result,
        @StateId("results") BagState<String> kept,
        @StateId("file") ValueState<Integer> number,
        @TimerId("end") Timer timer,
        BoundedWindow window) {
      kept.add(result.getValue());
      number.write(result.getKey());
      timer.set(window.maxTimestamp());
    }

    @OnTimer("end")
    @SuppressWarnings("UnusedMethod") // Beam calls it
    public void write(
        @StateId("results") BagState<String> kept, @StateId("file") ValueState<Integer> number)
        throws IOException {
      List<String> lines = new ArrayList<>();
      kept.read().forEach(lines::add);
      Path written = Path.of(directory, "kept-" + number.read());
      Path part = Path.of(directory + ".part-" + number.read());
      Files.write(part, lines);
      Files.move(part, written, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
