package dev.millrace.examples.guide;

import dev.millrace.api.Broadcast;
import dev.millrace.api.Grouped;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// What the examples in the documentation of the API speak of; nothing of it runs.
@SuppressWarnings({"NullAway", "UnusedVariable"})
abstract class Shown {
  Topology topology;
  KeyedStream<String, Order> orders;
  KeyedStream<String, Order> ordersOfPartners;
  KeyedStream<String, Order> sales;
  KeyedStream<String, Payment> payments;
  KeyedStream<String, Parcel> parcels;
  KeyedStream<String, Visit> visits;
  KeyedStream<String, Long> counts;
  Stream<Sent> sent;
  Grouped<String, Order> ordersOfKey;
  WindowedTable<String, Long> ordersOfHour;
  WindowedTable<String, Long> viewsOfHour;
  WindowedTable<String, Long> returnsOfHour;
  Table<String, Customer> customers;
  Table<String, Shop> shops;
  Table<String, Long> totals;
  Table<String, Price> prices;
  Broadcast<String, Country> countries;
  RemoteTable<String, User> users;
  RemoteTable<Page, String> titles;
  RemoteTable<String, Long> totalsElsewhere;
  RemoteTable<String, Instant> lastOrders;
  KafkaSink<Order> large;
  KafkaSink<Order> small;
  KafkaSink<Order> reviews;
  KafkaSink<Order> customs;
  KafkaSink<Order> shipments;
  KafkaSink<Order> lateOrders;
  Serde<Page> pages;
  Serde<TreeSet<Page>> setsOfPages;
  Serde<Tally> tallies;
  Serde<Customer> customer;
  Serde<Country> country;
  StoreSpec<String, Long> SILENT_SINCE;
  Records<String, Order> records;
  Output<Order> out;
  Ratings ratings;
  Database database;
  Log log;

  abstract long median(List<Order> all);

  abstract String countryOf(String key);

  record Page(String address) {}

  record Country(String name) {}

  record Shop(String name) {}

  record Price(long cents) {}

  record Payment(long cents) {}

  record Parcel(String number) {}

  record User(String name) {}

  record Trend(Instant at) {
    static Trend of(Update update) {
      return new Trend(update.at());
    }
  }

  record Sent(String topic) {}

  record Click(Instant at) {}

  record Reading(Instant at, boolean isHourly) {}

  record Update(Instant at) {}

  record Visit(String member, Page page) {
    Visit by(@Nullable User user) {
      return this;
    }

    Visit titled(@Nullable String title) {
      return this;
    }
  }

  record Customer(String country, String shop) {
    Customer spending(@Nullable Long total) {
      return this;
    }

    static Customer either(@Nullable Customer customer, @Nullable Long total) {
      throw new AssertionError("Nothing of it runs.");
    }

    Customer near(@Nullable Shop other) {
      return this;
    }
  }

  record Order(String id, String customer, String shop, String country, long amount, Instant time) {
    List<String> lines() {
      return List.of();
    }

    Page page() {
      return new Page(shop);
    }

    Duration period() {
      return Duration.ofDays(1);
    }

    boolean isForeign() {
      return false;
    }

    Order in(@Nullable Country other) {
      return this;
    }

    Order of(Customer other) {
      return this;
    }

    Order at(Price price) {
      return this;
    }

    Instant at() {
      return time;
    }

    Order larger(Order other) {
      return this;
    }

    TreeSet<Page> addTo(TreeSet<Page> all) {
      return all;
    }
  }

  record Receipt(@Nullable Order order, @Nullable Payment payment) {
    static Receipt of(@Nullable Order order, @Nullable Payment payment) {
      return new Receipt(order, payment);
    }
  }

  record Dealing(List<Order> orders, List<Payment> payments, List<Parcel> parcels) {
    static Dealing of(List<Order> orders, List<Payment> payments) {
      return new Dealing(orders, payments, List.of());
    }
  }

  record Sold(@Nullable Long orders, @Nullable Long returns) {
    static Sold of(@Nullable Long orders, @Nullable Long returns) {
      return new Sold(orders, returns);
    }
  }

  record Tally(long orders) {
    Tally() {
      this(0);
    }

    Tally plus(Order order) {
      return new Tally(orders + 1);
    }
  }

  enum Rating {
    NONE
  }

  interface Ratings {
    Rating of(Order order);

    CompletionStage<Rating> ask(Order order);

    List<Rating> ofAll(List<Order> all);
  }

  interface Database {
    Customer read(String key);

    String write(String key, @Nullable Customer value, long version);
  }

  interface Log {
    void info(String text, Object about);
  }

  static final class Silence implements Processor<String, Order, String> {
    @Override
    public void process(Records<String, Order> records, Output<String> out) {}
  }

  static final class Rates implements Processor<String, Order, Double> {
    @Override
    public void process(Records<String, Order> records, Output<Double> out) {}
  }
}
