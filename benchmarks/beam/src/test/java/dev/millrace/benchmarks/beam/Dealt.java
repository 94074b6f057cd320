package dev.millrace.benchmarks.beam;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.model.Event;
import org.apache.beam.sdk.nexmark.sources.generator.Generator;
import org.apache.beam.sdk.nexmark.sources.generator.GeneratorConfig;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/// The events of one generator of Nexmark, dealt in turn to several readers.
///
/// Nexmark's own source cannot be used where readers are several or events have a rate. With
/// several generators the events are others than those that the models of the queries generate. And
/// the mark of a reader that keeps to a rate counts the event that it has generated and not given
/// yet, so that this event is lost when it goes on from the mark.
final class Dealt extends UnboundedSource<Event, Dealt.Mark> {
  private final NexmarkConfiguration configuration;
  private final int parts;
  private final int part;
  private final Pace pace;

  /// How fast a reader is, and where it tells what it does.
  ///
  /// @param aSecond how many events all readers give together; 0 for as many as they can
  /// @param journal null if it is not told
  record Pace(long aSecond, @Nullable Journal journal) implements Serializable {
    static final Pace FREE = new Pace(0, null);
  }

  /// @param parts how many readers there are
  Dealt(NexmarkConfiguration configuration, int parts, Pace pace) {
    this(configuration, parts, -1, pace);
  }

  private Dealt(NexmarkConfiguration configuration, int parts, int part, Pace pace) {
    this.configuration = configuration;
    this.parts = parts;
    this.part = part;
    this.pace = pace;
  }

  /// The generator whose events the models of the queries take.
  static Generator generator(NexmarkConfiguration configuration) {
    return new Generator(
        new GeneratorConfig(
            configuration,
            Instant.parse("2015-07-15T00:00:00.000Z").getMillis(),
            0,
            configuration.numEvents,
            0));
  }

  /// How many events of a part were given.
  static final class Mark implements CheckpointMark, Serializable {
    private final int part;
    private final long given;
    private final @Nullable Journal journal;

    Mark(int part, long given, @Nullable Journal journal) {
      this.part = part;
      this.given = given;
      this.journal = journal;
    }

    @Override
    public void finalizeCheckpoint() {
      if (journal != null) {
        journal.committed(part, given);
      }
    }
  }

  @Override
  public List<Dealt> split(int wanted, PipelineOptions options) {
    List<Dealt> all = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      all.add(new Dealt(configuration, parts, i, pace));
    }
    return all;
  }

  @Override
  public UnboundedReader<Event> createReader(PipelineOptions options, @Nullable Mark mark) {
    if (pace.journal() != null) {
      pace.journal().begun(part, mark == null ? -1 : mark.given);
    }
    return new Reader(mark == null ? 0 : mark.given);
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return SerializableCoder.of(Mark.class);
  }

  @Override
  public Coder<Event> getOutputCoder() {
    return Event.CODER;
  }

  private final class Reader extends UnboundedReader<Event> {
    private static final long TOLD_EVERY = 50;

    private final Generator generator = generator(configuration);
    private final long begunMillis = System.currentTimeMillis();
    private final long begunAt;
    private long given;
    private Generator.@Nullable NextEvent next;
    private Generator.@Nullable NextEvent current;

    Reader(long given) {
      this.given = given;
      begunAt = given;
      skip(given * parts + part);
      next = generator.hasNext() ? generator.nextEvent() : null;
    }

    private void skip(long events) {
      for (long i = 0; i < events && generator.hasNext(); i++) {
        generator.nextEvent();
      }
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      if (next == null || isAhead()) {
        return false;
      }
      current = next;
      given++;
      skip(parts - 1);
      next = generator.hasNext() ? generator.nextEvent() : null;
      if (pace.journal() != null && given % TOLD_EVERY == 0) {
        pace.journal().given(part, given);
      }
      return true;
    }

    private boolean isAhead() {
      long passed = System.currentTimeMillis() - begunMillis;
      return pace.aSecond() > 0 && (given - begunAt) * parts * 1_000 >= passed * pace.aSecond();
    }

    @Override
    public Event getCurrent() {
      return current().event;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return Instant.ofEpochMilli(current().eventTimestamp);
    }

    private Generator.NextEvent current() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public Instant getWatermark() {
      return next == null
          ? BoundedWindow.TIMESTAMP_MAX_VALUE
          : Instant.ofEpochMilli(next.watermark);
    }

    @Override
    public CheckpointMark getCheckpointMark() {
      return new Mark(part, given, pace.journal());
    }

    @Override
    public UnboundedSource<Event, ?> getCurrentSource() {
      return Dealt.this;
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  }
}
