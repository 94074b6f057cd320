package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.rows.Bag;
import dev.millrace.internal.engine.operators.rows.EarlyResults;
import dev.millrace.internal.engine.operators.rows.KeptRows;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.KeyTime;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.operators.rows.PassedTimes;
import dev.millrace.internal.engine.operators.rows.Ranking;
import dev.millrace.internal.engine.operators.rows.Retained;
import dev.millrace.internal.engine.operators.rows.RowPlaces;
import dev.millrace.internal.engine.operators.rows.Tagged;
import dev.millrace.internal.engine.operators.rows.TimedValue;
import dev.millrace.internal.engine.operators.rows.Timers;
import dev.millrace.internal.engine.operators.rows.Version;
import dev.millrace.internal.engine.operators.rows.WaitingRow;
import dev.millrace.internal.engine.operators.rows.WindowResultSerde;
import dev.millrace.internal.engine.operators.window.RankingPlaces;
import dev.millrace.internal.engine.operators.window.RecordWindow;
import dev.millrace.internal.engine.operators.window.Sessions;
import dev.millrace.internal.engine.plan.Plan;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Everything that operators keep and send, as bytes. What is known of a format where it was
/// written is its schema, which stands beside them: **where bytes change, the schema has to change
/// with them**, by another name, or state would be read as what it is not.
class KeptFormatsTest {
  private static final Serde<Object> TEXT = TestSerdes.STRING;
  private static final Serde<Object> NUMBER = TestSerdes.LONG;

  /// By schema: the bytes of a sample, in hexadecimal.
  private static final String FORMATS =
      """
      bag 6:string | 0000000161000000026263
      counted 4:long | 00000000000000038000000000000005
      early 6:string | 00000000000000070372
      early 6:string | 00000000000000070272
      early 6:string | 000000000000000701
      kept 6:string 4:long | 000000020000000161
      string | 6b
      time | 7fffffffffffffff
      time+string | 80000000000000016b
      time+bytes | 80000000000000026b
      key+time string | 000000036b657980000000000003e8
      time+group+string | 80000000000003e800000001676b
      keyed 6:string 4:long | 000000016b8000000000000005
      passed-times | 0000000000000001ffffffffffffffff
      ranking 6:string 4:long | 00000001000000010000000161000000088000000000000001
      open 6:string | 0000000300000000000000030000000000000002ffffffffffffffff000000000000000900000000000000040000000000000005000000000000000672
      open 6:string | 0000000000000000000000030000000000000002ffffffffffffffff0000000000000009
      reference 21:keyed 6:string 4:long | 01000000016b8000000000000005
      reference 21:keyed 6:string 4:long | 00000000016b8000000000000005
      string | 66
      retained 6:string | 000000010000000179
      chunk 6:string | 0000000178
      session 4:long | 00000000000000010000000000000002018000000000000003
      session 4:long | 00000000000000010000000000000002028000000000000003
      tagged 6:string 4:long | 018000000000000005
      timed 6:string | fffffffffffffffe76
      timer | 01
      version 6:string | 0176
      version 6:string | 00
      waiting 6:string | 02000000000000000700000002696e000000030000000000000004000000016b76
      waiting 6:string | 03000000000000000700000000000000016b76
      waiting 6:string | 01000000000000000700000002696e00000003000000000000000476
      waiting 6:string | 000000000000000009
      window-result 6:string 4:long | 00000000000003e80000000000000bb8000000026162000000088000000000000005
      long | 80000000000003e8
      LateRecords{corrected:long,tooLate:long,largestMillis:long} | 01039baeee106a2edb34ee07020406
      """;

  private static final List<Sample<?>> SAMPLES = samples();

  private record Sample<T>(Serde<T> serde, T value) {
    byte[] bytes() {
      BytesWriter out = new BytesWriter(1);
      serde.write(value, out);
      return out.toByteArray();
    }

    String line() {
      return serde.schema() + " | " + HexFormat.of().formatHex(bytes());
    }

    /// What was read is written in the same way.
    void requireRead() {
      byte[] written = bytes();
      BytesWriter out = new BytesWriter(1);
      serde.write(serde.read(Bytes.of(written)), out);
      assertEquals(
          HexFormat.of().formatHex(written),
          HexFormat.of().formatHex(out.toByteArray()),
          serde::schema);
    }
  }

  private static List<Sample<?>> samples() {
    List<Sample<?>> all = new ArrayList<>();
    Bag bag = Bag.with(Bag.with(null, TEXT, "a"), TEXT, "bc");
    all.add(new Sample<>(new Bag.Format(TEXT), bag));
    all.add(new Sample<>(new Counted.Format(NUMBER), new Counted(3, 5L)));
    Serde<EarlyResults.Emitted> early = early();
    all.add(new Sample<>(early, new EarlyResults.Emitted(7, true, "r")));
    all.add(new Sample<>(early, new EarlyResults.Emitted(7, false, "r")));
    all.add(new Sample<>(early, new EarlyResults.Emitted(7, true, null)));
    all.add(
        new Sample<>(
            new KeptRows.Kept.Format(List.of(TEXT, NUMBER)),
            new KeptRows.Kept(Bytes.of(HexFormat.of().parseHex("00000002" + "0000000161")))));
    all.add(new Sample<>(KeyBytesSerde.plain(TEXT), Bytes.ofUtf8("k")));
    all.add(new Sample<>(KeyBytesSerde.timeOnly(), new TimeKey().of(-1, null).copy()));
    all.add(
        new Sample<>(KeyBytesSerde.afterTime(TEXT), new TimeKey().of(1, Bytes.ofUtf8("k")).copy()));
    all.add(
        new Sample<>(KeyBytesSerde.afterTime(null), new TimeKey().of(2, Bytes.ofUtf8("k")).copy()));
    all.add(
        new Sample<>(
            KeyBytesSerde.beforeTime(TEXT), new KeyTime().of(Bytes.ofUtf8("key"), 1_000).copy()));
    RankingPlaces places = new RankingPlaces(true);
    Bytes ranking = new TimeKey().of(1_000, Bytes.ofUtf8("g")).copy();
    all.add(
        new Sample<>(
            RankingPlaces.ofResults(TEXT, TEXT), places.result(ranking, Bytes.ofUtf8("k")).copy()));
    KeyedValue entry = new KeyedValue("k", 5L);
    KeyedValue.Format entries = new KeyedValue.Format(TEXT, NUMBER);
    all.add(new Sample<>(entries, entry));
    all.add(new Sample<>(new PassedTimes.Format(), new PassedTimes(1, -1)));
    Ranking ranked = Ranking.empty();
    ranked.add(Bytes.ofUtf8("a"), 1L, 2);
    all.add(new Sample<>(new Ranking.Format(TEXT, NUMBER), ranked));
    RecordWindow window = new RecordWindow(3, 2, -1, 9, true, new RecordWindow.Shown(4, 5, 6, "r"));
    all.add(new Sample<>(new RecordWindow.Format(TEXT), window));
    all.add(
        new Sample<>(new RecordWindow.Format(TEXT), new RecordWindow(3, 2, -1, 9, false, null)));
    all.add(new Sample<>(new Reference.Format(entries), new Reference(entry, true, "k")));
    all.add(new Sample<>(new Reference.Format(entries), new Reference(entry, false, null)));
    Reference.Destinations to = new Reference.Destinations(TEXT, NUMBER);
    all.add(new Sample<>(to, "f"));
    Retained retained = new Retained();
    retained.add(TEXT, "x");
    Bytes chunk = retained.takeChunk();
    retained.add(TEXT, "y");
    all.add(new Sample<>(new Retained.Format(TEXT), retained));
    all.add(new Sample<>(new Retained.Chunk(TEXT), chunk));
    all.add(new Sample<>(new Sessions.Format(NUMBER), new Sessions.Session(1, 2, 3L, true, false)));
    all.add(new Sample<>(new Sessions.Format(NUMBER), new Sessions.Session(1, 2, 3L, false, true)));
    all.add(new Sample<>(new Tagged.Format(List.of(TEXT, NUMBER)), new Tagged(1, 5L)));
    all.add(new Sample<>(new TimedValue.Format(TEXT), new TimedValue(-2, "v")));
    all.add(new Sample<>(new Timers.Mark(), true));
    all.add(new Sample<>(new Version.Format(TEXT), new Version("v")));
    all.add(new Sample<>(new Version.Format(TEXT), Version.NONE));
    WaitingRow.Format waiting = new WaitingRow.Format(TEXT);
    Origin origin = new Origin("in", 3, 4);
    all.add(new Sample<>(waiting, new WaitingRow(7, Bytes.ofUtf8("k"), "v", false, origin)));
    all.add(new Sample<>(waiting, new WaitingRow(7, Bytes.ofUtf8("k"), "v", true, null)));
    all.add(new Sample<>(waiting, new WaitingRow(7, null, "v", false, origin)));
    all.add(new Sample<>(waiting, WaitingRow.number(9)));
    all.add(
        new Sample<>(
            new WindowResultSerde(TEXT, NUMBER),
            new WindowResult<>(
                new Window(Instant.ofEpochMilli(1_000), Instant.ofEpochMilli(3_000)), "ab", 5L)));
    all.add(new Sample<>(LateRows.WINDOWS, 1_000L));
    all.add(new Sample<>(LateRows.COUNTS, new dev.millrace.spi.job.LateRecords(1, 2, 3)));
    return all;
  }

  private static Serde<EarlyResults.Emitted> early() {
    Windows.Timing timing = new Windows.Timing(Duration.ZERO, Duration.ofMillis(1), 0, false);
    return EarlyResults.Spec.of("e", timing, TEXT, TEXT).emitted().valueSerde();
  }

  @Test
  void everyFormatIsWrittenAsItAlwaysWas() {
    assertEquals(FORMATS, String.join("\n", SAMPLES.stream().map(Sample::line).toList()) + "\n");
  }

  @Test
  void whatWasWrittenIsRead() {
    SAMPLES.forEach(Sample::requireRead);
  }

  /// A format that reads older ones is also written as one, but for keys, which do not evolve.
  @Test
  void formatsThatEvolveAreWrittenAsOlderOnes() {
    List<String> missing = new ArrayList<>();
    for (Sample<?> sample : SAMPLES) {
      Set<String> methods = new TreeSet<>();
      Stream.of(sample.serde.getClass().getDeclaredMethods())
          .forEach(m -> methods.add(m.getName()));
      boolean keys =
          sample.serde instanceof KeyBytesSerde || sample.serde instanceof Reference.Destinations;
      if (methods.contains("canRead") && !keys && !methods.contains("writingAs")) {
        missing.add(sample.serde.id());
      }
    }
    assertEquals(List.of(), missing);
  }

  /// Keys of stores that are made by hand.
  @Test
  void placesAreTheSame() {
    Bytes key = Bytes.ofUtf8("key");
    assertHex("6b6579", new Identity(null, null).of(key, "v"));
    assertHex("000000036b6579" + "8000000000000005", new Identity(_ -> 5L, NUMBER).of(key, "v"));
    Bytes timeKey = new TimeKey().of(1_000, key).copy();
    assertHex("01" + "00000007" + "80000000000003e86b6579", RowPlaces.of(1, 7, timeKey));
    assertHex(
        "01" + "0000000b" + "80000000000003e86b6579" + "76", RowPlaces.id(1, timeKey, TEXT, "v"));
  }

  private static void assertHex(String expected, Bytes found) {
    assertEquals(expected, HexFormat.of().formatHex(found.toByteArray()));
  }

  /// One that is added to an operator has a line too. Those that the plan puts around others have
  /// no format of their own.
  @Test
  void noFormatIsLeftOut() throws IOException, URISyntaxException {
    Set<String> sampled = new TreeSet<>();
    SAMPLES.forEach(sample -> sampled.add(sample.serde.getClass().getName()));
    Path root = Path.of(Bag.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> missing = new TreeSet<>();
    int found = 0;
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(KeptFormatsTest::isClass)::iterator) {
        String name =
            root.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
        if (isSerde(name) && !name.startsWith(Plan.class.getPackageName() + ".")) {
          found++;
          if (!sampled.contains(name)) {
            missing.add(name);
          }
        }
      }
    }
    assertTrue(found > 15, found + " formats in " + root);
    assertEquals(Set.of(), missing);
  }

  private static boolean isClass(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".class") && !name.endsWith("-info.class");
  }

  private static boolean isSerde(String name) {
    try {
      Class<?> type = Class.forName(name, false, Bag.class.getClassLoader());
      return Serde.class.isAssignableFrom(type) && !type.isInterface();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name, e);
    }
  }
}
