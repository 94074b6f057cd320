package dev.millrace.benchmarks.nexmark.generator;

import java.util.stream.IntStream;

/// Over which bids come, each with its page: four that have half of them, and ten thousand others.
final class Channels {
  private static final int OTHERS = 10_000;
  private static final String[] HOT = {"Google", "Facebook", "Baidu", "Apple"};

  /// Draws that belong to no event.
  private static final long BEFORE_EVENTS = -1L - HOT.length - OTHERS;

  /// @param url of the page
  record Channel(String name, String url) {}

  private final Channel[] hot;
  private final Channel[] others;

  Channels(long seed) {
    hot =
        IntStream.range(0, HOT.length)
            .mapToObj(i -> new Channel(HOT[i], page(new Draw(seed, BEFORE_EVENTS + i))))
            .toArray(Channel[]::new);
    others = IntStream.range(0, OTHERS).mapToObj(i -> other(seed, i)).toArray(Channel[]::new);
  }

  /// Nine of ten say in the page's address which one they are.
  private static Channel other(long seed, int number) {
    Draw draw = new Draw(seed, BEFORE_EVENTS + HOT.length + number);
    String page = page(draw);
    String url =
        draw.below(10) == 0 ? page : page + "&channel_id=" + Integer.toUnsignedString(number);
    return new Channel("channel-" + number, url);
  }

  private static String page(Draw draw) {
    return "https://www.nexmark.com/%s/%s/%s/item.htm?query=1"
        .formatted(draw.words(5, '_'), draw.words(5, '_'), draw.words(5, '_'));
  }

  Channel draw(Draw draw) {
    return draw.below(2) == 0 ? draw.oneOf(others) : draw.oneOf(hot);
  }
}
