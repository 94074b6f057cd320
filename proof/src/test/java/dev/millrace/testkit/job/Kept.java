package dev.millrace.testkit.job;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.job.EachOperator.Form;

/// Keeps values and gives those back that it kept before.
final class Kept {
  private static final String NAME = "kept-values";

  private Kept() {}

  static <K, V> StoreSpec<K, V> store(Form<K> keys, Form<V> values) {
    return StoreSpec.keyValue(NAME, keys.serde(), values.serde()).withRanges();
  }

  static <V> StoreSpec<String, V> unkeyedStore(Form<V> values) {
    return StoreSpec.keyValue(NAME, Serdes.string(), values.serde());
  }

  static <K extends Comparable<K>, V extends Comparable<V>>
      Initializer<Processor<K, V, V>> supplier(EachOperator<K, V> of) {
    return () -> new OfKey<>(of);
  }

  static <K extends Comparable<K>, V extends Comparable<V>> Initializer<Processor<K, V, V>> timed(
      EachOperator<K, V> of) {
    return () -> new Timed<>(of);
  }

  static <K extends Comparable<K>, V extends Comparable<V>>
      Initializer<Processor<Bytes, V, V>> withoutKeys(EachOperator<K, V> of) {
    return () -> new Last<>(of);
  }

  /// Emits what the key had before, and what all keys have.
  private static final class OfKey<K extends Comparable<K>, V extends Comparable<V>>
      implements Processor<K, V, V> {
    private final EachOperator<K, V> of;
    private KeyValueStore<K, V> store;

    OfKey(EachOperator<K, V> of) {
      this.of = of;
    }

    @Override
    public void open(ProcessorContext<K> context) {
      store = context.store(Kept.store(of.keys(), of.values()));
    }

    @Override
    public void process(Records<K, V> records, Output<V> out) {
      while (records.next()) {
        V before = store.get(records.key());
        if (before != null) {
          out.emit(before, records.timestamp());
        }
        store.put(records.key(), records.value());
        StringBuilder all = new StringBuilder();
        store.range(
            null,
            null,
            (key, value) -> {
              all.append(of.keys().text().map(key)).append(of.values().text().map(value));
              return true;
            });
        out.emit(of.values().of().map(all.toString()), records.timestamp());
      }
    }
  }

  /// Emits what a key had, some seconds later.
  private static final class Timed<K extends Comparable<K>, V extends Comparable<V>>
      implements Processor<K, V, V> {
    private final EachOperator<K, V> of;
    private KeyValueStore<K, V> store;
    private ProcessorContext<K> timers;

    Timed(EachOperator<K, V> of) {
      this.of = of;
    }

    @Override
    public void open(ProcessorContext<K> context) {
      store = context.store(Kept.store(of.keys(), of.values()));
      timers = context;
    }

    @Override
    public void process(Records<K, V> records, Output<V> out) {
      while (records.next()) {
        store.put(records.key(), records.value());
        timers.setTimer(records.key(), records.timestamp() + 2_000);
      }
    }

    @Override
    public void onTimer(K key, long timestamp, Output<V> out) {
      V value = store.get(key);
      out.emit(
          of.values().joined(of.values().of().map(of.keys().text().map(key)), value), timestamp);
    }
  }

  /// Emits the value before.
  private static final class Last<V> implements Processor<Bytes, V, V> {
    private final Form<V> values;
    private KeyValueStore<String, V> store;

    Last(EachOperator<?, ? extends V> of) {
      @SuppressWarnings("unchecked")
      Form<V> form = (Form<V>) of.values();
      values = form;
    }

    @Override
    public void open(ProcessorContext<Bytes> context) {
      store = context.store(Kept.unkeyedStore(values));
    }

    @Override
    public void process(Records<Bytes, V> records, Output<V> out) {
      while (records.next()) {
        V before = store.get("last");
        if (before != null) {
          out.emit(before, records.timestamp());
        }
        store.put("last", records.value());
      }
    }
  }
}
