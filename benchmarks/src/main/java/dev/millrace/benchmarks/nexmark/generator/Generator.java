package dev.millrace.benchmarks.nexmark.generator;

import dev.millrace.benchmarks.nexmark.generator.Channels.Channel;
import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;

/// Makes each event from its number alone, so that any part of them can be made anywhere, and
/// again.
///
/// Shape and proportions are those of the public generators of Nexmark and of Beam: of 50 events
/// one is a person, three are auctions and the rest bids. Three of four auctions are of a hot
/// seller, the first of the last hundred people; half of the bids go to a hot auction, the first of
/// the last hundred, the others to one of those that are open; three of four bids are of a hot
/// bidder, the second of the last hundred people. Some refer to people and auctions that come a
/// little later. Thread-safe.
public final class Generator {
  private static final int PERSONS = 1;
  private static final int AUCTIONS = 3;
  private static final int ROUND = 50;

  private static final long FIRST_ID = 1_000;
  private static final long FIRST_CATEGORY = 10;
  private static final int CATEGORIES = 5;

  /// One of so many is hot.
  private static final int HOT = 100;

  /// How many are open at a time.
  private static final int OPEN_AUCTIONS = 100;

  private static final int ACTIVE_PEOPLE = 1_000;

  /// How far ahead an id may be.
  private static final int LEAD = 10;

  private static final int PERSON_BYTES = 200;
  private static final int AUCTION_BYTES = 500;
  private static final int BID_BYTES = 100;

  private static final String[] STATES = {"AZ", "CA", "ID", "OR", "WA", "WY"};
  private static final String[] CITIES = {
    "Phoenix",
    "Los Angeles",
    "San Francisco",
    "Boise",
    "Portland",
    "Bend",
    "Redmond",
    "Seattle",
    "Kent",
    "Cheyenne"
  };
  private static final String[] FIRST_NAMES = {
    "Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter"
  };
  private static final String[] LAST_NAMES = {
    "Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris"
  };

  private final Settings settings;
  private final Channels channels;
  private final long startMillis;

  public Generator(Settings settings) {
    this.settings = settings;
    channels = new Channels(settings.seed());
    startMillis = settings.start().toEpochMilli();
  }

  public Settings settings() {
    return settings;
  }

  /// When an event happens, in milliseconds since 1970 (UTC): never before those of lower numbers.
  ///
  /// @param number from 0
  public long timeMillis(long number) {
    return startMillis + number * 1_000 / settings.eventsPerSecond();
  }

  /// @param number from 0
  public Event event(long number) {
    Draw draw = new Draw(settings.seed(), number);
    int place = (int) (number % ROUND);
    if (place < PERSONS) {
      return person(number, draw);
    }
    return place < PERSONS + AUCTIONS ? auction(number, draw) : bid(number, draw);
  }

  private Person person(long number, Draw draw) {
    String name = draw.oneOf(FIRST_NAMES) + " " + draw.oneOf(LAST_NAMES);
    String email = draw.words(7, '.') + "@" + draw.words(5, '.') + ".com";
    String card = digits(draw) + " " + digits(draw) + " " + digits(draw) + " " + digits(draw);
    String city = draw.oneOf(CITIES);
    String state = draw.oneOf(STATES);
    int bytes =
        Long.BYTES
            + name.length()
            + email.length()
            + card.length()
            + city.length()
            + state.length();
    return new Person(
        FIRST_ID + lastPerson(number),
        name,
        email,
        card,
        city,
        state,
        timeMillis(number),
        draw.padding(bytes, PERSON_BYTES));
  }

  private static String digits(Draw draw) {
    return Integer.toString(10_000 + draw.below(10_000)).substring(1);
  }

  private Auction auction(long number, Draw draw) {
    long last = lastPerson(number);
    long seller = draw.below(4) > 0 ? last / HOT * HOT : somePerson(last, draw);
    long category = FIRST_CATEGORY + draw.below(CATEGORIES);
    long initialBid = draw.price();
    long time = timeMillis(number);
    long untilOthersAreOpen = timeMillis(number + OPEN_AUCTIONS * ROUND / AUCTIONS) - time;
    long expires = time + 1 + draw.below(Math.max(untilOthersAreOpen * 2, 1));
    String name = draw.words(20, ' ');
    String description = draw.words(100, ' ');
    return new Auction(
        FIRST_ID + lastAuction(number),
        name,
        description,
        initialBid,
        initialBid + draw.price(),
        time,
        expires,
        FIRST_ID + seller,
        category,
        draw.padding(6 * Long.BYTES + name.length() + description.length(), AUCTION_BYTES));
  }

  private Bid bid(long number, Draw draw) {
    long lastAuction = lastAuction(number);
    long auction = draw.below(2) > 0 ? lastAuction / HOT * HOT : someAuction(lastAuction, draw);
    long lastPerson = lastPerson(number);
    long bidder = draw.below(4) > 0 ? lastPerson / HOT * HOT + 1 : somePerson(lastPerson, draw);
    long price = draw.price();
    Channel channel = channels.draw(draw);
    return new Bid(
        FIRST_ID + auction,
        FIRST_ID + bidder,
        price,
        channel.name(),
        channel.url(),
        timeMillis(number),
        draw.padding(4 * Long.BYTES, BID_BYTES));
  }

  /// The last person that has come with an event or before it, from 0.
  private static long lastPerson(long number) {
    return number / ROUND * PERSONS + Math.min(number % ROUND, PERSONS - 1);
  }

  /// The last auction that was opened with an event or before it, from 0; -1 if none was.
  private static long lastAuction(long number) {
    long inRound = Math.clamp(number % ROUND - PERSONS + 1, 0, AUCTIONS);
    return number / ROUND * AUCTIONS + inRound - 1;
  }

  private static long somePerson(long last, Draw draw) {
    long active = Math.min(last + 1, ACTIVE_PEOPLE);
    return last + 1 - active + draw.below(active + LEAD);
  }

  private static long someAuction(long last, Draw draw) {
    long first = Math.max(last - OPEN_AUCTIONS, 0);
    return first + draw.below(last - first + 1 + LEAD);
  }
}
