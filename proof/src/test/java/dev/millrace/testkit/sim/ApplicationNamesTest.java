package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.reset.Rename;
import dev.millrace.internal.engine.reset.ResetException;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.testkit.Interposed;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Renames drawn applications on the model log, some of them killed before either of the two
/// records, and compares each name with a map.
class ApplicationNamesTest {
  private static final int SEEDS = 200;
  private static final int STEPS = 20;
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

  /// What is expected: the storage of each name that was ever in effect, and each storage's name.
  private static final class Expected {
    final Map<String, String> storages = new HashMap<>();
    final Map<String, String> called = new HashMap<>();

    boolean isCalled(String name) {
      return called.containsValue(name);
    }

    boolean mayBecome(String from, String to) {
      return !storages.containsKey(to) || storages.get(to).equals(storages.get(from));
    }
  }

  @Test
  void aNameIsThatOfTheApplicationThatWasRenamedToItLast() {
    for (int number = 0; number < SEEDS; number++) {
      play(new Seed(number), ModelLog.of(number));
    }
  }

  private static void play(Seed seed, ModelLog log) {
    Expected expected = new Expected();
    for (String storage : List.of("a", "b")) {
      PlanDescription plan =
          new PlanDescription(List.of(new Part(Kind.APPLICATION, storage, Parameters.NONE)));
      log.createTopic(VersionLog.topic(storage));
      log.append(storage + "-versions", 0, "plan/" + plan.hash(), plan.text(), 0);
      expected.storages.put(storage, storage);
      expected.called.put(storage, storage);
    }
    for (int step = 0; step < STEPS; step++) {
      String from = seed.pick(NAMES);
      String to = seed.pick(NAMES);
      String killedAt = seed.chance(0.25) ? seed.pick(NAMES) : "";
      if (expected.isCalled(from) && !from.equals(to)) {
        rename(log, expected, from, to, killedAt, "process-" + step);
      }
      NAMES.forEach(name -> assertFound(log, expected, name));
    }
  }

  private static void rename(
      ModelLog log, Expected expected, String from, String to, String killedAt, String process) {
    String storage = expected.storages.get(from);
    Log client = killedAt(log.client(process), killedAt);
    Rename rename = new Rename(client, log.clock(), () -> log.advance(Duration.ofMillis(5)));
    ApplicationNames.Found found = rename.find(from);
    boolean writesTo = killedAt.equals(storage) || (killedAt.equals(to) && !to.equals(storage));
    if (!expected.mayBecome(from, to)) {
      assertThrows(ResetException.class, () -> rename.rename(found, to));
    } else if (writesTo) {
      assertThrows(LogException.class, () -> rename.rename(found, to));
      log.crash(process);
    } else {
      rename.rename(found, to);
      expected.storages.put(to, storage);
      expected.called.put(storage, to);
    }
    log.advance(Duration.ofSeconds(1)); // what is committed is visible a moment later
  }

  /// A client that dies before it writes to the plans of a name.
  private static Log killedAt(Log log, String name) {
    return Interposed.before(
        Log.class,
        log,
        (call, arguments, real) -> {
          if (call.equals("writer") && arguments.getFirst().equals(name + "@versions")) {
            throw new LogException(LogException.Kind.UNAVAILABLE, "It is killed here.");
          }
          return real.go();
        });
  }

  private static void assertFound(ModelLog log, Expected expected, String name) {
    ApplicationNames.Found found =
        new ApplicationNames(
                log.client("reader"), log.clock(), () -> log.advance(Duration.ofMillis(5)))
            .find(name);
    String storage = expected.storages.get(name);
    if (expected.isCalled(name)) {
      assertEquals(new ApplicationName(name, storage), found.require().application());
      assertTrue(found.recorded().isStorage(), name);
    } else if (storage != null) {
      PlanRefusedException refused = assertThrows(PlanRefusedException.class, found::require);
      String now = "is called '%s' now".formatted(expected.called.get(storage));
      assertTrue(String.valueOf(refused.getMessage()).contains(now), refused.getMessage());
    } else if (found.application().storage().equals(name)) {
      assertEquals(ApplicationName.of(name), found.require().application(), "never used");
    } else {
      PlanRefusedException refused = assertThrows(PlanRefusedException.class, found::require);
      assertTrue(
          String.valueOf(refused.getMessage()).contains("begun and not completed"),
          refused.getMessage());
    }
  }
}
