package dev.millrace.internal.engine.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.millrace.api.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Which answers are kept: against a list of all that were, in the order of their use.
class AnswersTest {
  private static final long LIFE = 100;

  private static final class Entry {
    private final int question;
    private final Asked asked;
    private @Nullable Long answered;

    Entry(int question) {
      this.question = question;
      asked = new Asked(question);
    }
  }

  private static Answers answers(int entries) {
    return new Answers(new Call.Cache(entries, Duration.ofNanos(LIFE)));
  }

  @Test
  void thoseUsedLastAreKeptForTheirTime() {
    for (long seed = 1; seed <= 300; seed++) {
      new Drawn(seed).run();
    }
  }

  private static final class Drawn {
    private final String run;
    private final Random random;
    private final int most;
    private final Answers answers;
    private final List<Entry> byUse = new ArrayList<>();
    private final List<Entry> open = new ArrayList<>();
    private long now = Long.MAX_VALUE - 1_000;

    Drawn(long seed) {
      run = "seed " + seed;
      random = new Random(seed);
      most = 1 + random.nextInt(6);
      answers = answers(most);
    }

    void run() {
      for (int i = 0; i < 400; i++) {
        now += random.nextInt(20);
        if (!open.isEmpty() && random.nextBoolean()) {
          end(open.remove(random.nextInt(open.size())));
        } else {
          ask(random.nextInt(8));
        }
      }
    }

    private void end(Entry entry) {
      if (random.nextInt(4) == 0) {
        answers.remove(entry.question, entry.asked);
        byUse.remove(entry);
      } else {
        entry.asked.answer("answer", now);
        entry.answered = now;
      }
    }

    private void ask(int question) {
      byUse.removeIf(entry ->
          entry.question == question && entry.answered != null && now - entry.answered >= LIFE);
      Entry known =
          byUse.stream().filter(entry -> entry.question == question).findAny().orElse(null);
      Asked found = answers.find(question, now);
      if (known != null) {
        assertSame(known.asked, found, run);
        byUse.remove(known);
        byUse.add(known);
        return;
      }
      assertNull(found, run);
      Entry entry = new Entry(question);
      answers.add(question, entry.asked);
      open.add(entry);
      byUse.add(entry);
      if (byUse.size() > most) {
        byUse.removeFirst();
      }
    }
  }

  @Test
  void withoutACacheNothingIsKept() {
    Answers none = answers(0);
    Asked asked = new Asked("a");
    none.add("a", asked);
    assertNull(none.find("a", 0));
    none.remove("a", asked);
    assertEquals("a", asked.question());
  }
}
