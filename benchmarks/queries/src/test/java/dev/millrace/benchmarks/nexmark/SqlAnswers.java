package dev.millrace.benchmarks.nexmark;

import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import dev.millrace.benchmarks.nexmark.model.Person;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The events in a database, which answers the queries in its own way.
///
/// The first line of a query says how its columns make a fingerprint: those in brackets have one of
/// their own, and that behind `*` is a factor.
final class SqlAnswers implements AutoCloseable {
  private static final String HEAD = "-- fingerprint: ";

  private final Connection connection;

  SqlAnswers(Generator generator) throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE person (id INTEGER PRIMARY KEY, name, city, state, time INTEGER)");
      statement.execute(
          "CREATE TABLE auction (id INTEGER PRIMARY KEY, itemName, description, time INTEGER,"
              + " expires INTEGER, seller INTEGER, category INTEGER)");
      statement.execute(
          "CREATE TABLE bid (number INTEGER, auction INTEGER, bidder INTEGER, price INTEGER,"
              + " channel, url, time INTEGER, extra)");
      fill(generator);
      statement.execute("CREATE INDEX bid_auction ON bid (auction)");
      statement.execute("CREATE INDEX auction_seller ON auction (seller)");
    }
  }

  private void fill(Generator generator) throws SQLException {
    try (PreparedStatement persons = insert("person", 5);
        PreparedStatement auctions = insert("auction", 7);
        PreparedStatement bids = insert("bid", 8)) {
      for (long number = 0; number < generator.settings().events(); number++) {
        switch (generator.event(number)) {
          case Person person ->
              run(
                  persons,
                  person.id(),
                  person.name(),
                  person.city(),
                  person.state(),
                  person.timeMillis());
          case Auction auction ->
              run(
                  auctions,
                  auction.id(),
                  auction.itemName(),
                  auction.description(),
                  auction.timeMillis(),
                  auction.expiresMillis(),
                  auction.seller(),
                  auction.category());
          case Bid bid ->
              run(
                  bids,
                  number,
                  bid.auction(),
                  bid.bidder(),
                  bid.price(),
                  bid.channel(),
                  bid.url(),
                  bid.timeMillis(),
                  bid.extra());
        }
      }
    }
  }

  private PreparedStatement insert(String table, int columns) throws SQLException {
    String marks = "?, ".repeat(columns - 1) + "?";
    return connection.prepareStatement("INSERT INTO %s VALUES (%s)".formatted(table, marks));
  }

  private static void run(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    statement.execute();
  }

  Net answer(String id) throws SQLException, IOException {
    String text = text("/nexmark/" + id + ".sql");
    int end = text.indexOf('\n');
    String spec = text.substring(HEAD.length(), end);
    Net net = new Net();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(text.substring(end))) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(Objects.requireNonNull(rows.getObject(i)));
        }
        net.add(fingerprint(spec, row), row, false);
      }
    }
    return net;
  }

  private static String text(String file) throws IOException {
    try (InputStream in = Objects.requireNonNull(SqlAnswers.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long fingerprint(String spec, List<Object> row) {
    String[] parts = spec.split(" \\* ");
    List<Long> outer = new ArrayList<>();
    for (String part : parts[0].split(" (?![^(]*\\))")) {
      List<Long> inner = new ArrayList<>();
      for (String column : part.replaceAll("[()]", "").split(" ")) {
        inner.add(value(row.get(Integer.parseInt(column))));
      }
      outer.add(part.startsWith("(") ? of(inner) : inner.getFirst());
    }
    return parts.length == 1 ? of(outer) : of(outer) * value(row.get(Integer.parseInt(parts[1])));
  }

  private static long of(List<Long> values) {
    return Fingerprint.of(values.stream().mapToLong(value -> value).toArray());
  }

  private static long value(Object value) {
    return value instanceof Number number ? number.longValue() : Fingerprint.text((String) value);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
