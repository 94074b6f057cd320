package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.settings.DeadLetter;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// What becomes of results of windows that cannot be told: they are passed over, and where that is
/// the policy each is a dead letter, once.
final class FailingResults {
  static final String CAUSE = "It cannot be told.";

  private FailingResults() {}

  /// Settings of a job, which goes on if there are such results.
  static SimulationSettings policy(
      long seed, String prefix, Sketch sketch, SimulationSettings settings) {
    boolean fails =
        sketch.ops().stream().anyMatch(op -> op instanceof Op.Windowed w && w.failing() > 0);
    if (!fails) {
      return settings;
    }
    OnError policy = new Seed(seed).fork("policy").coin() ? OnError.SKIP : OnError.DEAD_LETTER;
    String letters = BadRecordsJob.deadLetters(policy, prefix);
    return settings.withEngine(engine ->
        engine.withErrors(errors -> errors.withOnError(policy).withDeadLetterTopic(letters)));
  }

  /// @throws AssertionError if the dead letters are not those results
  static void requireLetters(
      EngineSettings engine, Sketch sketch, TopologyOracle oracle, Written written) {
    if (engine.errors().onError() != OnError.DEAD_LETTER) {
      return;
    }
    List<String> expected = new ArrayList<>();
    Set<String> sessions = new TreeSet<>();
    for (int i = 0; i < sketch.ops().size(); i++) {
      if (sketch.ops().get(i) instanceof Op.Windowed w && w.shape().cut() == Op.Cut.SESSIONS) {
        sessions.add(Op.name(i));
      }
      for (TopologyOracle.Row row : oracle.failed(i)) {
        String end = Instant.ofEpochMilli(row.item().at() + 1).toString();
        expected.add(text(Op.name(i), row.keyText(), sessions.contains(Op.name(i)) ? "" : end));
      }
    }
    List<String> found = new ArrayList<>();
    for (ModelRecord letter : written.records(engine.errors().deadLetterTopic())) {
      if (!header(letter, DeadLetter.CAUSE).contains(CAUSE)) {
        throw new AssertionError("A dead letter of something else: " + letter);
      }
      String operator = header(letter, DeadLetter.SOURCE);
      String window = header(letter, DeadLetter.WINDOW);
      String end = window.substring(window.indexOf('/') + 1);
      // Of sessions that keep all values it is not known where they begin.
      found.add(
          text(
              operator,
              Objects.requireNonNull(letter.keyText()),
              sessions.contains(operator) ? "" : end));
    }
    expected.sort(null);
    found.sort(null);
    Scenario.requireEqual("the dead letters of " + sketch.operators(), expected, found);
  }

  private static String text(String operator, String key, String windowEnd) {
    return operator + " " + key + " " + windowEnd;
  }

  private static String header(ModelRecord letter, String name) {
    return letter.headers().stream()
        .filter(header -> header.name().equals(name))
        .map(header -> Objects.requireNonNull(header.value()).toUtf8())
        .findFirst()
        .orElse("");
  }
}
