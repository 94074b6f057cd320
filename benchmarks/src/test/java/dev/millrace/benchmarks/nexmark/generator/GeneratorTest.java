package dev.millrace.benchmarks.nexmark.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GeneratorTest {
  private static final int COUNT = 100_000;
  private static final Generator GENERATOR = new Generator(Settings.of(3, COUNT));
  private static final List<Event> EVENTS =
      LongStream.range(0, COUNT).mapToObj(GENERATOR::event).toList();

  private static <T extends Event> List<T> all(Class<T> type) {
    return EVENTS.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static <T> double share(List<T> all, Predicate<T> condition) {
    return (double) all.stream().filter(condition).count() / all.size();
  }

  @Test
  void theSameSeedGivesTheSameEventsInAnyOrderAndAnotherGivesOthers() {
    Generator same = new Generator(Settings.of(3, COUNT));
    Generator other = new Generator(Settings.of(4, COUNT));
    for (int number = COUNT - 1; number >= 0; number -= 997) {
      assertEquals(EVENTS.get(number), same.event(number));
      assertNotEquals(EVENTS.get(number), other.event(number));
    }
  }

  @Test
  void ofFiftyEventsOneIsAPersonAndThreeAreAuctions() {
    for (int round = 0; round < COUNT / 50; round++) {
      List<Event> events = EVENTS.subList(round * 50, (round + 1) * 50);
      assertEquals(1, events.stream().filter(Person.class::isInstance).count());
      assertEquals(3, events.stream().filter(Auction.class::isInstance).count());
    }
  }

  @Test
  void idsFollowEachOtherAndTimeNeverGoesBack() {
    List<Long> persons = all(Person.class).stream().map(Person::id).toList();
    List<Long> auctions = all(Auction.class).stream().map(Auction::id).toList();
    assertEquals(LongStream.range(1_000, 1_000 + COUNT / 50).boxed().toList(), persons);
    assertEquals(LongStream.range(1_000, 1_000 + COUNT * 3 / 50).boxed().toList(), auctions);
    List<Long> times = EVENTS.stream().map(Event::timeMillis).toList();
    assertEquals(times.stream().sorted().toList(), times);
    assertEquals(10_000 - 1, times.getLast() - times.getFirst(), "ten seconds of 10,000 each");
  }

  @Test
  void mostBidsAndAuctionsAreOfHotOnes() {
    // The hot ones are hit by chance, too, but seldom.
    assertEquals(0.5, share(all(Bid.class), bid -> bid.auction() % 100 == 0), 0.02);
    assertEquals(0.75, share(all(Bid.class), bid -> bid.bidder() % 100 == 1), 0.02);
    assertEquals(0.75, share(all(Auction.class), auction -> auction.seller() % 100 == 0), 0.02);
    assertEquals(0.5, share(all(Bid.class), bid -> !bid.channel().startsWith("channel-")), 0.02);
    List<Bid> others =
        all(Bid.class).stream().filter(bid -> bid.channel().startsWith("channel-")).toList();
    assertEquals(0.9, share(others, bid -> bid.url().contains("&channel_id=")), 0.02);
    assertTrue(new HashSet<>(others.stream().map(Bid::channel).toList()).size() > 9_000);
  }

  @Test
  void bidsAreForAuctionsThatAreThereOrComeSoon() {
    Set<Long> there = new HashSet<>();
    long last = 999;
    List<Bid> early = new ArrayList<>();
    for (Event event : EVENTS) {
      if (event instanceof Auction auction) {
        there.add(auction.id());
        last = auction.id();
      } else if (event instanceof Bid bid && !there.contains(bid.auction())) {
        assertTrue(bid.auction() <= last + 10, bid + " behind " + last);
        early.add(bid);
      }
    }
    assertTrue(!early.isEmpty(), "some come before their auctions");
  }

  @Test
  void auctionsAreOpenForAHundredOthersInTheMean() {
    double millis =
        all(Auction.class).stream()
            .mapToLong(auction -> auction.expiresMillis() - auction.timeMillis())
            .average()
            .orElseThrow();
    assertEquals(100 * 50 / 3 / 10.0, millis, 4);
  }

  @Test
  void eventsAreAsLargeAsWanted() {
    assertEquals(
        100 - 32,
        all(Bid.class).stream().mapToInt(bid -> bid.extra().length()).average().orElseThrow(),
        1);
    assertEquals(
        500,
        all(Auction.class).stream()
            .mapToInt(auction ->
                48
                    + auction.itemName().length()
                    + auction.description().length()
                    + auction.extra().length())
            .average()
            .orElseThrow(),
        5);
    assertEquals(
        200,
        all(Person.class).stream()
            .mapToInt(person ->
                8
                    + person.name().length()
                    + person.emailAddress().length()
                    + person.creditCard().length()
                    + person.city().length()
                    + person.state().length()
                    + person.extra().length())
            .average()
            .orElseThrow(),
        3);
  }

  @Test
  void pricesAreSpreadOverSixPowersOfTen() {
    List<Bid> bids = all(Bid.class);
    for (long from = 100; from < 100_000_000; from *= 10) {
      long least = from;
      assertEquals(
          1 / 6.0,
          share(bids, bid -> bid.price() >= least && bid.price() < least * 10),
          0.01,
          "from " + least);
    }
  }
}
