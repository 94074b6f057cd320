package dev.millrace.examples.shop;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutionException;

/// Writes what happens in the shop to the topics of a Kafka, until it is stopped.
///
///     ShopTraffic [<bootstrap servers> [<seed>]]
///
/// It makes the topics if they are not there. It begins a day ago, or where it was stopped, and lets
/// a minute go by in a second until it has come to the present.
public final class ShopTraffic {
  private static final String USUAL = "127.0.0.1:9092";
  private static final Duration BETWEEN_ORDERS = Duration.ofSeconds(2);
  private static final int FASTER = 60;
  private static final int TOLD_EVERY = 1_000;

  private ShopTraffic() {}

  public static void main(String[] args) throws ExecutionException, InterruptedException {
    String bootstrap = args.length > 0 ? args[0] : USUAL;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    try (ShopTopics topics = new ShopTopics(bootstrap)) {
      topics.create();
      Instant dayAgo = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);
      Instant start = topics.latest().filter(dayAgo::isBefore).orElse(dayAgo);
      String name = Long.toString(start.getEpochSecond(), Character.MAX_RADIX) + "-";
      write(topics, new Traffic(seed, name, start, BETWEEN_ORDERS), start);
    }
  }

  private static void write(ShopTopics topics, Traffic traffic, Instant start)
      throws InterruptedException {
    Instant begun = Instant.now();
    for (long records = 1; ; records++) {
      Traffic.Sent sent = traffic.next();
      Duration later = Duration.between(start, sent.arrives());
      Instant due = begun.plus(later.dividedBy(FASTER));
      // Not before it happens.
      Instant write = due.isBefore(sent.arrives()) ? sent.arrives() : due;
      Duration wait = Duration.between(Instant.now(), write);
      if (wait.isPositive()) {
        Thread.sleep(wait);
      }
      topics.send(sent);
      if (records % TOLD_EVERY == 0) {
        System.out.println(records + " records; in the shop it is " + sent.arrives());
      }
    }
  }
}
