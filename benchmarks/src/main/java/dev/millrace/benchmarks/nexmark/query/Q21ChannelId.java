package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Bids with the number of their channel: that of a well-known one, or that which the page's
/// address tells.
public final class Q21ChannelId implements Query<Q21ChannelId.WithChannel> {
  private static final String PARAMETER = "channel_id=";

  /// @param channelId null if there is none
  public record WithChannel(
      long auction, long bidder, long price, String channel, @Nullable String channelId) {
    static WithChannel of(Bid bid) {
      return new WithChannel(
          bid.auction(), bid.bidder(), bid.price(), bid.channel(), id(bid.channel(), bid.url()));
    }
  }

  private static @Nullable String id(String channel, String url) {
    return switch (channel.toLowerCase(Locale.ROOT)) {
      case "apple" -> "0";
      case "google" -> "1";
      case "facebook" -> "2";
      case "baidu" -> "3";
      default -> parameter(url);
    };
  }

  private static @Nullable String parameter(String url) {
    int at = url.startsWith(PARAMETER) ? 0 : url.indexOf("&" + PARAMETER) + 1;
    if (at == 0 && !url.startsWith(PARAMETER)) {
      return null;
    }
    int end = url.indexOf('&', at);
    return url.substring(at + PARAMETER.length(), end < 0 ? url.length() : end);
  }

  @Override
  public Class<WithChannel> type() {
    return WithChannel.class;
  }

  @Override
  public void build(Events events, Results<WithChannel> results) {
    results.take(events.bids().map(WithChannel::of).filter(bid -> bid.channelId != null));
  }

  @Override
  public long fingerprint(WithChannel bid) {
    return Fingerprint.of(
        bid.auction,
        bid.bidder,
        bid.price,
        Fingerprint.text(bid.channel),
        Fingerprint.text(String.valueOf(bid.channelId)));
  }
}
