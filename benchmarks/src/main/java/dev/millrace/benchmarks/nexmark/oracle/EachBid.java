package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.query.Q10Log.LoggedBid;
import dev.millrace.benchmarks.nexmark.query.Q13SideInput.WithText;
import dev.millrace.benchmarks.nexmark.query.Q14Calculation.Calculated;
import dev.millrace.benchmarks.nexmark.query.Q1Currency.InEuros;
import dev.millrace.benchmarks.nexmark.query.Q21ChannelId.WithChannel;
import dev.millrace.benchmarks.nexmark.query.Q22UrlDirectories.WithDirectories;
import dev.millrace.benchmarks.nexmark.query.Q2Selection.Price;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What follows from a bid, query by query, written another way than the queries are.
final class EachBid {
  private static final BigDecimal RATE = new BigDecimal("0.908");
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd");
  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm");
  private static final Pattern CHANNEL_ID = Pattern.compile("(&|^)channel_id=([^&]*)");
  private static final List<String> CHANNELS = List.of("apple", "google", "facebook", "baidu");

  private EachBid() {}

  static LocalDateTime time(long millis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  static String day(long millis) {
    return DAY.format(time(millis));
  }

  static String minute(long millis) {
    return MINUTE.format(time(millis));
  }

  static Optional<?> same(Bid bid) {
    return Optional.of(bid);
  }

  private static BigDecimal euros(Bid bid) {
    return BigDecimal.valueOf(bid.price()).multiply(RATE);
  }

  static Optional<?> inEuros(Bid bid) {
    return Optional.of(
        new InEuros(
            bid.auction(),
            bid.bidder(),
            euros(bid).unscaledValue().longValueExact(),
            bid.timeMillis(),
            bid.extra()));
  }

  static Optional<?> selected(Bid bid) {
    return bid.auction() % 123 == 0
        ? Optional.of(new Price(bid.auction(), bid.price()))
        : Optional.empty();
  }

  static Optional<?> logged(Bid bid) {
    return Optional.of(
        new LoggedBid(
            bid.auction(),
            bid.bidder(),
            bid.price(),
            bid.timeMillis(),
            bid.extra(),
            day(bid.timeMillis()),
            minute(bid.timeMillis())));
  }

  static Optional<?> withText(Bid bid) {
    return Optional.of(
        new WithText(
            bid.auction(),
            bid.bidder(),
            bid.price(),
            bid.timeMillis(),
            "value-" + bid.auction() % 10_000));
  }

  static Optional<?> calculated(Bid bid) {
    BigDecimal price = euros(bid);
    if (price.compareTo(BigDecimal.valueOf(1_000_000)) <= 0
        || price.compareTo(BigDecimal.valueOf(50_000_000)) >= 0) {
      return Optional.empty();
    }
    int hour = time(bid.timeMillis()).getHour();
    String part =
        switch (hour) {
          case 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 -> "dayTime";
          case 7, 19 -> "otherTime";
          default -> "nightTime";
        };
    return Optional.of(
        new Calculated(
            bid.auction(),
            bid.bidder(),
            price.unscaledValue().longValueExact(),
            part,
            bid.timeMillis(),
            bid.extra(),
            bid.extra().chars().filter(letter -> letter == 'c').count()));
  }

  static Optional<?> withChannel(Bid bid) {
    int known = CHANNELS.indexOf(bid.channel().toLowerCase(Locale.ROOT));
    Matcher matcher = CHANNEL_ID.matcher(bid.url());
    if (known >= 0) {
      return Optional.of(withChannel(bid, Integer.toString(known)));
    }
    return matcher.find()
        ? Optional.of(withChannel(bid, String.valueOf(matcher.group(2))))
        : Optional.empty();
  }

  private static WithChannel withChannel(Bid bid, String id) {
    return new WithChannel(bid.auction(), bid.bidder(), bid.price(), bid.channel(), id);
  }

  static Optional<?> withDirectories(Bid bid) {
    int first = bid.url().indexOf('/', "https://".length()) + 1;
    int second = bid.url().indexOf('/', first) + 1;
    int third = bid.url().indexOf('/', second) + 1;
    int end = bid.url().indexOf('/', third);
    return Optional.of(
        new WithDirectories(
            bid.auction(),
            bid.bidder(),
            bid.price(),
            bid.channel(),
            bid.url().substring(first, second - 1),
            bid.url().substring(second, third - 1),
            bid.url().substring(third, end)));
  }
}
