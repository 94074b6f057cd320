package dev.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Lead;
import dev.millrace.internal.cluster.decide.Orders;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.place.Home;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.Trace;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import dev.millrace.testkit.time.Scheduler;
import dev.millrace.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  private static final Duration STEP = Duration.ofMillis(5);

  /// A member that may lead.
  private static final class Candidate {
    final String home;
    final Decisions decisions;
    final Lead lead;

    Candidate(String home, ModelLog log) {
      this.home = home;
      decisions = new Decisions("app", log.client(home));
      lead = new Lead("app", log.client(home), log.clock(), decisions);
    }

    void step() {
      try {
        decisions.read();
        lead.step();
      } catch (LogException e) {
        assertEquals(LogException.Kind.UNAVAILABLE, e.kind(), e.toString());
      }
    }
  }

  private static ModelLog log(long seed, ModelSettings settings) {
    ModelLog log =
        new ModelLog(new Scheduler(new VirtualClock()), new Trace(), new Seed(seed), settings);
    log.createTopic(Decisions.topic("app"));
    return log;
  }

  private static void pass(ModelLog log, Duration time, Candidate... candidates) {
    for (long ms = 0; ms < time.toMillis(); ms += STEP.toMillis()) {
      for (Candidate candidate : candidates) {
        candidate.step();
      }
      log.advance(STEP);
    }
  }

  private static void lead(ModelLog log, Candidate candidate) {
    candidate.lead.begin(candidate.home, 1, "plan");
    pass(log, Duration.ofMillis(200), candidate);
    assertTrue(candidate.lead.isReady());
  }

  private static SortedMap<Integer, Seat> drawn(
      Seed seed, SortedMap<Integer, Seat> before, long version) {
    SortedMap<Integer, Seat> seats = new TreeMap<>(before);
    int changes = seed.between(1, 12);
    for (int i = 0; i < changes; i++) {
      int bundle = seed.below(30);
      if (seed.chance(0.1)) {
        seats.remove(bundle);
        continue;
      }
      String owner = seed.chance(0.1) ? "" : "m" + seed.below(6);
      List<String> followers = new ArrayList<>();
      for (int f = 0; f < 6; f++) {
        if (!owner.isEmpty() && !owner.equals("m" + f) && seed.chance(0.2)) {
          followers.add("m" + f);
        }
      }
      String heir = followers.isEmpty() || seed.coin() ? "" : followers.getFirst();
      seats.put(
          bundle,
          new Seat(
              owner.isEmpty() ? 0 : version,
              owner,
              !owner.isEmpty() && seed.coin(),
              heir,
              heir.isEmpty() || seed.coin() ? 0 : version + seed.below(2),
              followers,
              List.of(new Home("m" + seed.below(6), "host" + seed.below(3)))));
    }
    return seats;
  }

  @Test
  void whatIsReadIsWhatTheLeadersDecidedWhateverHappens() {
    for (long number = 0; number < 150; number++) {
      Seed seed = new Seed(number).fork("decisions");
      ModelSettings settings = ModelSettings.defaults();
      if (seed.coin()) {
        settings = settings.withCleaner(Duration.ofMillis(300), seed.below(4));
      }
      ModelLog log = log(number, settings);
      log.faults(Faults.drawn(seed));
      List<SortedMap<Integer, Seat>> possible = new ArrayList<>();
      possible.add(new TreeMap<>());
      Candidate[] candidates = new Candidate[3];
      for (int i = 0; i < candidates.length; i++) {
        candidates[i] = new Candidate("c" + i, log);
      }
      for (int step = 0; step < 600; step++) {
        Candidate candidate = candidates[seed.below(candidates.length)];
        if (seed.chance(0.02)) {
          try {
            candidate.lead.begin(candidate.home, number, "plan");
          } catch (LogException e) {
            assertEquals(LogException.Kind.UNAVAILABLE, e.kind());
          }
        }
        if (candidate.lead.isReady() && isTheLast(candidate, candidates)) {
          SortedMap<Integer, Seat> now = new TreeMap<>(candidate.decisions.seats());
          assertTrue(possible.contains(now), "seed " + number + ": never decided: " + now);
          if (seed.coin()) {
            SortedMap<Integer, Seat> next = drawn(seed, now, candidate.lead.nextVersion());
            candidate.lead.decide(next);
            possible.clear();
            possible.add(now);
            possible.add(next);
          } else {
            candidate.lead.beat();
          }
        }
        for (Candidate each : candidates) {
          each.step();
        }
        log.advance(seed.between(Duration.ZERO, Duration.ofMillis(30)));
      }
      log.calm();
      Candidate last = new Candidate("last", log);
      lead(log, last);
      assertTrue(possible.contains(last.decisions.seats()), "seed " + number);
      pass(log, Duration.ofSeconds(40), candidates);
      for (Candidate each : candidates) {
        assertTrue(each.decisions.isCurrent());
        assertEquals(last.decisions.seats(), each.decisions.seats(), "seed " + number);
        assertEquals(last.decisions.term(), each.decisions.term());
        assertOrdersFit(each.decisions);
      }
      assertTermsRise(log, "seed " + number);
    }
  }

  /// A leader that was barred may still believe that it leads; what it decides then is in vain.
  private static boolean isTheLast(Candidate candidate, Candidate[] candidates) {
    for (Candidate other : candidates) {
      if (other.decisions.term().number() > candidate.decisions.term().number()) {
        return false;
      }
    }
    return true;
  }

  private static void assertOrdersFit(Decisions decisions) {
    decisions
        .seats()
        .forEach((bundle, seat) -> {
          Orders.Own own = decisions.orders(seat.owner()).owned().get(bundle);
          if (!seat.owner().isEmpty()) {
            assertNotNull(own);
            assertEquals(seat.version(), own.version());
            assertEquals(seat.heir(), own.heir());
          }
          for (int m = 0; m < 6; m++) {
            assertEquals(
                seat.followers().contains("m" + m),
                decisions.orders("m" + m).followed().contains(bundle));
          }
        });
  }

  private static void assertTermsRise(ModelLog log, String what) {
    Term before = Term.NONE;
    for (ModelRecord record : log.records("app-placement")) {
      Term term = Term.read(bytes(record.key()), bytes(record.value()));
      if (term == null) {
        continue;
      }
      boolean goesOn =
          term.number() == before.number()
              && term.leader().equals(before.leader())
              && term.beat() > before.beat();
      assertTrue(
          goesOn || term.number() > before.number(), what + ": " + term + " after " + before);
      assertTrue(term.version() >= before.version(), what + ": " + term + " after " + before);
      before = term;
    }
    assertTrue(before.number() > 0);
  }

  private static byte[] bytes(Bytes bytes) {
    return bytes == null ? null : bytes.toByteArray();
  }

  @Test
  void aLeaderThatWasBarredDecidesNothing() {
    ModelLog log = log(1, ModelSettings.defaults());
    Candidate first = new Candidate("a", log);
    Candidate second = new Candidate("b", log);
    lead(log, first);
    lead(log, second);
    long ended = log.offsets(List.of(split())).get(split()).end();
    assertTrue(first.lead.isReady() || first.lead.state() == Lead.State.LEADING);
    first.lead.beat();
    pass(log, Duration.ofMillis(100), first);
    assertEquals(Lead.State.NONE, first.lead.state());
    assertEquals(ended, log.offsets(List.of(split())).get(split()).end());
    assertEquals(2, second.decisions.term().number());
  }

  private static Split split() {
    return new Split("app-placement", 0);
  }

  /// The predecessor's last decision is on its way, or its markers are, when the next one begins.
  @Test
  void aNewLeaderKnowsWhatWasDecidedAtTheLastMoment() {
    for (long number = 0; number < 200; number++) {
      ModelSettings slow =
          ModelSettings.defaults()
              .withMarkers(new Delay(1, Duration.ofMillis(1), Duration.ofMillis(300)));
      ModelLog log = log(number, slow);
      log.faults(
          new Faults(
              Delay.upTo(Duration.ofMillis(20)), 0, 0, 0, 0, Delay.NONE, Duration.ofSeconds(5)));
      Candidate first = new Candidate("a", log);
      first.lead.begin("a", 1, "plan");
      pass(log, Duration.ofSeconds(1), first);
      Seed seed = new Seed(number);
      SortedMap<Integer, Seat> decided = drawn(seed, new TreeMap<>(), first.lead.nextVersion());
      first.lead.decide(decided);
      log.advance(seed.between(Duration.ZERO, Duration.ofMillis(60)));
      Candidate second = new Candidate("b", log);
      second.lead.begin("b", 1, "plan");
      while (!second.lead.isReady()) {
        pass(log, STEP, second);
      }
      SortedMap<Integer, Seat> believed = new TreeMap<>(second.decisions.seats());
      pass(log, Duration.ofSeconds(2), second);
      Candidate later = new Candidate("c", log);
      pass(log, Duration.ofSeconds(1), later);
      assertEquals(later.decisions.seats(), believed, "seed " + number);
      assertTermsRise(log, "seed " + number);
    }
  }

  @Test
  void onlyMembersWhoseOrdersChangeGetARecord() {
    ModelLog log = log(1, ModelSettings.defaults());
    Candidate candidate = new Candidate("a", log);
    lead(log, candidate);
    SortedMap<Integer, Seat> seats = new TreeMap<>();
    for (int bundle = 0; bundle < 30; bundle++) {
      seats.put(bundle, owned(1, "m" + bundle % 10));
    }
    candidate.lead.decide(seats);
    pass(log, Duration.ofMillis(200), candidate);
    assertEquals(seats, candidate.decisions.seats());
    int before = log.records("app-placement").size();
    candidate.lead.decide(new TreeMap<>(seats));
    assertTrue(candidate.lead.isReady()); // there is nothing to write
    seats.put(3, owned(candidate.lead.nextVersion(), "m4"));
    candidate.lead.decide(seats);
    assertFalse(candidate.lead.isReady());
    pass(log, Duration.ofMillis(200), candidate);
    assertEquals(seats, candidate.decisions.seats());
    List<ModelRecord> records = log.records("app-placement");
    assertEquals(
        List.of("member/m3", "member/m4", "bundle/3", "term"),
        records.subList(before, records.size()).stream().map(ModelRecord::keyText).toList());
    Seat alone = seats.get(5);
    seats.put(
        5, new Seat(alone.version(), alone.owner(), false, "", 0, List.of("m9"), alone.homes()));
    candidate.lead.decide(seats);
    pass(log, Duration.ofMillis(200), candidate);
    assertEquals(seats, candidate.decisions.seats());
    List<ModelRecord> all = log.records("app-placement");
    assertEquals(
        List.of("member/m9", "term"),
        all.subList(records.size(), all.size()).stream().map(ModelRecord::keyText).toList());
  }

  private static Seat owned(long version, String owner) {
    return new Seat(version, owner, false, "", 0, List.of(), List.of(new Home(owner, "host")));
  }

  @Test
  void aLeaderThatResignsSaysSo() {
    ModelLog log = log(1, ModelSettings.defaults());
    Candidate candidate = new Candidate("a", log);
    lead(log, candidate);
    assertFalse(candidate.decisions.term().resigned());
    candidate.lead.resign();
    pass(log, Duration.ofMillis(200), candidate);
    assertEquals(Lead.State.NONE, candidate.lead.state());
    assertTrue(candidate.decisions.term().resigned());
  }
}
