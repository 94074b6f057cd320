package dev.millrace.benchmarks.nexmark.source;

import dev.millrace.api.connector.KeyedSource;
import dev.millrace.api.connector.Start;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.ExternalSource;
import dev.millrace.spi.RecordBatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A text for each number from 0 on, in one split: what is looked up.
public final class TextSource implements ExternalSource<String>, KeyedSource<Long, String> {
  private final String name;
  private final long count;

  public TextSource(String name, long count) {
    this.name = name;
    this.count = count;
  }

  /// The text of a number.
  public static String text(long number) {
    return "value-" + number;
  }

  @Override
  public String stream() {
    return name;
  }

  @Override
  public Serde<Long> keySerde() {
    return Serdes.longs();
  }

  @Override
  public Serde<String> valueSerde() {
    return Serdes.string();
  }

  @Override
  public @Nullable EventTime<String> eventTime() {
    return null;
  }

  @Override
  public Duration disorder() {
    return Duration.ZERO;
  }

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public TextSource asBounded() {
    return this;
  }

  @Override
  public Start start() {
    return Start.earliest();
  }

  @Override
  public Connection connect() {
    return new Numbers(1, count, _ -> 0, TextSource::write);
  }

  private static void write(long number, RecordBatch batch) {
    int start = batch.data().length();
    Serdes.longs().write(number, batch.data());
    batch.endKey(start);
    int end = batch.data().length();
    Serdes.string().write(text(number), batch.data());
    batch.endValue(end);
  }
}
