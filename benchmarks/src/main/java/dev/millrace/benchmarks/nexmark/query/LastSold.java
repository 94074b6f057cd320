package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.query.Q6AverageOfSeller.AverageOfSeller;
import dev.millrace.benchmarks.nexmark.query.Q6AverageOfSeller.Sold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Averages what each seller has sold last, in the order in which the auctions ended: what comes
/// waits until the watermark says that nothing earlier comes any more.
final class LastSold implements Processor<Long, Sold, AverageOfSeller> {
  private static final int LAST = 10;
  private static final Comparator<Sold> ORDER =
      Comparator.comparingLong(Sold::endMillis).thenComparingLong(Sold::auction);

  static final StoreSpec<Long, Sales> SALES =
      StoreSpec.keyValue("sales-of-seller", Serdes.longs(), Serdes.record(Sales.class));

  /// @param waiting in no order
  /// @param last prices, the latest at the end
  record Sales(List<Sold> waiting, List<Long> last) {
    static final Sales NONE = new Sales(List.of(), List.of());

    Sales and(Sold sold) {
      List<Sold> more = new ArrayList<>(waiting);
      more.add(sold);
      return new Sales(more, last);
    }
  }

  private @Nullable ProcessorContext<Long> context;
  private @Nullable KeyValueStore<Long, Sales> store;

  @Override
  public void open(ProcessorContext<Long> opened) {
    context = opened;
    store = opened.store(SALES);
  }

  @Override
  public void process(Records<Long, Sold> records, Output<AverageOfSeller> out) {
    KeyValueStore<Long, Sales> all = Objects.requireNonNull(store);
    while (records.next()) {
      Sold sold = records.value();
      Sales before = all.get(sold.seller());
      all.put(sold.seller(), (before == null ? Sales.NONE : before).and(sold));
      Objects.requireNonNull(context).setTimer(sold.seller(), sold.endMillis() + 1);
    }
  }

  @Override
  public void onTimer(Long seller, long timestamp, Output<AverageOfSeller> out) {
    KeyValueStore<Long, Sales> all = Objects.requireNonNull(store);
    Sales before = Objects.requireNonNullElse(all.get(seller), Sales.NONE);
    List<Long> last = new ArrayList<>(before.last);
    before.waiting.stream()
        .filter(sold -> sold.endMillis() < timestamp)
        .sorted(ORDER)
        .forEach(sold -> {
          last.add(sold.price());
          if (last.size() > LAST) {
            last.removeFirst();
          }
          long sum = last.stream().mapToLong(price -> price).sum();
          out.emit(new AverageOfSeller(seller, sold.auction(), sum / last.size()));
        });
    all.put(
        seller,
        new Sales(
            before.waiting.stream().filter(sold -> sold.endMillis() >= timestamp).toList(), last));
  }
}
