package dev.millrace.benchmarks.flink.nexmark;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.Collector;

/// Events as tables of persons, auctions and bids, in the form in which Flink's SQL has rows, so
/// that nothing has to be converted.
final class EventTables {
  private static final DataType ID = DataTypes.BIGINT().notNull();
  private static final DataType TEXT = DataTypes.STRING().notNull();
  private static final DataType TIME = DataTypes.TIMESTAMP_LTZ(3).notNull();

  private EventTables() {}

  /// Makes the tables that a query asks.
  ///
  /// @param events with times and watermarks
  static void create(StreamTableEnvironment tables, DataStream<Event> events, Query query) {
    if (query.asks("person")) {
      create(
          tables,
          events,
          "person",
          new Persons(),
          DataTypes.ROW(
              DataTypes.FIELD("id", ID),
              DataTypes.FIELD("name", TEXT),
              DataTypes.FIELD("emailAddress", TEXT),
              DataTypes.FIELD("creditCard", TEXT),
              DataTypes.FIELD("city", TEXT),
              DataTypes.FIELD("state", TEXT),
              DataTypes.FIELD("extra", TEXT)));
    }
    if (query.asks("auction")) {
      create(
          tables,
          events,
          "auction",
          new Auctions(),
          DataTypes.ROW(
              DataTypes.FIELD("id", ID),
              DataTypes.FIELD("itemName", TEXT),
              DataTypes.FIELD("description", TEXT),
              DataTypes.FIELD("initialBid", ID),
              DataTypes.FIELD("reserve", ID),
              DataTypes.FIELD("expires", TIME),
              DataTypes.FIELD("seller", ID),
              DataTypes.FIELD("category", ID),
              DataTypes.FIELD("extra", TEXT)));
    }
    if (query.asks("bid")) {
      create(
          tables,
          events,
          "bid",
          new Bids(),
          DataTypes.ROW(
              DataTypes.FIELD("auction", ID),
              DataTypes.FIELD("bidder", ID),
              DataTypes.FIELD("price", ID),
              DataTypes.FIELD("channel", TEXT),
              DataTypes.FIELD("url", TEXT),
              DataTypes.FIELD("extra", TEXT)));
    }
  }

  /// The table's last column but for the text is the event's time.
  private static void create(
      StreamTableEnvironment tables,
      DataStream<Event> events,
      String name,
      FlatMapFunction<Event, RowData> rows,
      DataType type) {
    RowType rowType = (RowType) type.getLogicalType();
    Schema.Builder schema = Schema.newBuilder();
    List<String> columns = new ArrayList<>(rowType.getFieldNames());
    for (int i = 0; i < columns.size(); i++) {
      schema.column(columns.get(i), type.getChildren().get(i));
    }
    schema
        .columnByMetadata("eventTime", DataTypes.TIMESTAMP_LTZ(3), "rowtime", true)
        .watermark("eventTime", "SOURCE_WATERMARK()");
    // In the order in which the queries' rows have them.
    int time = columns.contains("expires") ? columns.indexOf("expires") : columns.size() - 1;
    columns.add(time, "eventTime");
    tables.createTemporaryView(
        name + "_rows",
        events.flatMap(rows).returns(InternalTypeInfo.of(rowType)).name(name),
        schema.build());
    tables.createTemporaryView(
        name,
        tables.sqlQuery("SELECT `%s` FROM %s_rows".formatted(String.join("`, `", columns), name)));
  }

  private static StringData text(String text) {
    return StringData.fromString(text);
  }

  private static final class Persons implements FlatMapFunction<Event, RowData> {
    private static final long serialVersionUID = 1;

    @Override
    public void flatMap(Event event, Collector<RowData> out) {
      if (event instanceof Person person) {
        out.collect(
            GenericRowData.of(
                person.id(),
                text(person.name()),
                text(person.emailAddress()),
                text(person.creditCard()),
                text(person.city()),
                text(person.state()),
                text(person.extra())));
      }
    }
  }

  private static final class Auctions implements FlatMapFunction<Event, RowData> {
    private static final long serialVersionUID = 1;

    @Override
    public void flatMap(Event event, Collector<RowData> out) {
      if (event instanceof Auction auction) {
        out.collect(
            GenericRowData.of(
                auction.id(),
                text(auction.itemName()),
                text(auction.description()),
                auction.initialBid(),
                auction.reserve(),
                TimestampData.fromEpochMillis(auction.expiresMillis()),
                auction.seller(),
                auction.category(),
                text(auction.extra())));
      }
    }
  }

  private static final class Bids implements FlatMapFunction<Event, RowData> {
    private static final long serialVersionUID = 1;

    @Override
    public void flatMap(Event event, Collector<RowData> out) {
      if (event instanceof Bid bid) {
        out.collect(
            GenericRowData.of(
                bid.auction(),
                bid.bidder(),
                bid.price(),
                text(bid.channel()),
                text(bid.url()),
                text(bid.extra())));
      }
    }
  }
}
