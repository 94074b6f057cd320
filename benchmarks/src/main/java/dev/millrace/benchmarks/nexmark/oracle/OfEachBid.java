package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Results that follow from a bid each.
final class OfEachBid implements Oracle {
  private final Function<Bid, Optional<?>> result;
  private final Consumer<Object> out;

  OfEachBid(Function<Bid, Optional<?>> result, Consumer<Object> out) {
    this.result = result;
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      result.apply(bid).ifPresent(out);
    }
  }

  @Override
  public void end() {}
}
