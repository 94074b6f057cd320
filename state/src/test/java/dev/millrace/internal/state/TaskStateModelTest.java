package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.StateModel.Kind;
import dev.millrace.internal.state.StateModel.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Random operations against an oracle, in many settings.
final class TaskStateModelTest {
  private static final int OPERATIONS = 1_000;

  private static final Kind<?> LONGS =
      new Kind<>(1, false, TestSerdes.LONG, (old, random) -> (long) random.nextInt(1000));
  private static final Kind<?> COUNTS =
      new Kind<>(2, true, TestSerdes.SMALL_LONG, (old, random) -> old == null ? 1L : old + 1);
  private static final Kind<?> TEXTS =
      new Kind<>(258, true, TestSerdes.STRING, (old, random) -> "x".repeat(random.nextInt(60)));
  private static final Kind<?> VIEWS =
      new Kind<>(3, true, TestSerdes.VIEW, (old, random) -> Bytes.of(randomBytes(random)));
  private static final Kind<?> PLAIN_VIEWS =
      new Kind<>(0xFFFE, false, TestSerdes.VIEW, (old, random) -> Bytes.of(randomBytes(random)));
  private static final Kind<?> PLAIN_LONGS =
      new Kind<>(5, false, TestSerdes.SMALL_LONG, (old, random) -> old == null ? 1L : old + 1);
  private static final Kind<?> PLAIN_TEXTS =
      new Kind<>(6, false, TestSerdes.STRING, (old, random) -> "x".repeat(random.nextInt(60)));
  private static final Kind<?> LISTS =
      new Kind<>(4, true, TestSerdes.LIST, TaskStateModelTest::changedInPlace);

  @TestFactory
  Stream<DynamicTest> stateIsWhatTheOracleSays() {
    List<DynamicTest> tests = new ArrayList<>();
    long seed = 20_260_101;
    for (Setting setting : settings()) {
      long chosen = seed++;
      String name = setting + ", seed " + chosen;
      tests.add(DynamicTest.dynamicTest(name, () -> runNamed(name, setting, chosen)));
    }
    return tests.stream();
  }

  private static void runNamed(String name, Setting setting, long seed) {
    try {
      new StateModel(setting, seed).run(OPERATIONS);
    } catch (AssertionError | RuntimeException failure) {
      throw new AssertionError("Setting: " + name, failure);
    }
  }

  private static List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    for (long cacheBytes : new long[] {0, 1_000, 64 * 1024, 1 << 20}) {
      for (int keys : new int[] {3, 40, 400}) {
        for (int commitEvery : new int[] {3, 30, 200}) {
          int flushEvery = keys == 40 ? 2 : 6;
          int marksEvery = commitEvery == 200 || keys == 3 ? 8 : 1_000_000;
          settings.add(
              new Setting(
                  "mixed",
                  List.of(LONGS, COUNTS, TEXTS, LISTS),
                  cacheBytes,
                  keys,
                  commitEvery,
                  flushEvery,
                  marksEvery));
          settings.add(
              new Setting(
                  "in steps",
                  List.of(PLAIN_LONGS, PLAIN_TEXTS),
                  cacheBytes,
                  keys,
                  commitEvery,
                  flushEvery,
                  marksEvery));
          settings.add(
              new Setting(
                  "views",
                  List.of(VIEWS, PLAIN_VIEWS),
                  cacheBytes,
                  keys,
                  commitEvery,
                  flushEvery,
                  marksEvery));
        }
      }
    }
    return settings;
  }

  private static List<Integer> changedInPlace(List<Integer> old, Random random) {
    List<Integer> list = old == null || old.size() > 8 ? new ArrayList<>() : old;
    list.add(random.nextInt());
    return list;
  }

  private static byte[] randomBytes(Random random) {
    byte[] bytes = new byte[random.nextInt(30)];
    random.nextBytes(bytes);
    return bytes;
  }
}
