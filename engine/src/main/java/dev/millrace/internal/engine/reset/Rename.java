package dev.millrace.internal.engine.reset;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Names;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Gives an application that is stopped another name. Nothing that it keeps is touched: it stays
/// where it is stored.
///
/// Two records are written, in this order: the topic of the new name says where the application is
/// stored, then the storage says what the application is called. The second one decides: until it
/// is written, the former name is in effect and a start under the new one is refused; from then on
/// it is the other way round. In the other order, a start under the new name between the two would
/// begin without state. A rename that did not come to its end is done again from its beginning.
///
/// Each record is written by the writer of the plans of that name, after what was written before
/// was read. So of a rename and a first start under the same name, or of two renames of one
/// application at the same time, one is refused.
///
/// Used by one thread; waits for the log.
public final class Rename {
  private final Log log;
  private final Waiting waiting;

  /// @param pause waits for a moment, between two looks at the log
  public Rename(Log log, Clock clock, Runnable pause) {
    this.log = log;
    waiting = new Waiting(clock, pause);
  }

  /// Returns what is known of a name.
  public ApplicationNames.Found find(String name) {
    return new ApplicationNames(log, waiting.clock(), waiting.pause()).find(name);
  }

  /// Renames an application.
  ///
  /// @param from what it is called, as it was found
  /// @param to what it is to be called
  /// @throws ResetException if it cannot be called so, or that could not be written
  /// @throws dev.millrace.api.InvalidTopologyException if that is no name of an application
  public void rename(ApplicationNames.Found from, String to) {
    Names.check("The application", to);
    String storage = from.application().storage();
    String name = from.application().name();
    if (!to.equals(storage)) {
      requireFree(from, to);
      TopicSpec topic = VersionLog.topic(to);
      log.createTopic(topic);
      write(
          to,
          "Nothing was changed.",
          recorded -> {
            if (recorded.isStorage()) {
              throw taken(name, to, "it was started meanwhile");
            }
          },
          _ -> Recorded.storedAs(new Split(topic.name(), 0), storage, now()));
    }
    write(
        storage,
        "It is still called '%s'.".formatted(name),
        recorded -> {
          String called = new ApplicationNames.Found(from.application(), recorded).now();
          if (!called.equals(name)) {
            throw new ResetException(
                "Application '%s' was renamed to '%s' by another process meanwhile."
                    .formatted(name, called));
          }
        },
        recorded ->
            Recorded.named(
                new Split(VersionLog.topic(storage).name(), 0), names(recorded, name, to), now()));
  }

  private static List<String> names(Recorded recorded, String former, String to) {
    List<String> names = new ArrayList<>(recorded.names());
    names.removeAll(List.of(former, to));
    names.addFirst(former);
    names.addFirst(to);
    return names;
  }

  /// Refuses a name that another application has, or had.
  private void requireFree(ApplicationNames.Found from, String to) {
    ApplicationNames.Found there = find(to);
    if (there.application().storage().equals(from.application().storage())) {
      return; // a former name, or a rename that is to be completed
    }
    if (there.isFormer()) {
      throw taken(
          from.application().name(),
          to,
          "it is a former name of application '%s', which has its state".formatted(there.now()));
    }
    Set<String> topics =
        new TreeSet<>(
            log.topics(
                    List.of(
                        Plan.changelogTopic(to), Plan.membersTopic(to), Plan.placementTopic(to)))
                .keySet());
    if (there.isNow() && there.recorded().isStorage()) {
      topics.add(VersionLog.topic(there.application().storage()).name());
    }
    if (!topics.isEmpty()) {
      throw taken(
          from.application().name(),
          to,
          "an application of that name has state (%s)".formatted(String.join(", ", topics)));
    }
  }

  private static ResetException taken(String name, String to, String why) {
    return new ResetException(
        "Application '%1$s' cannot be called '%2$s': %3$s. Nothing was changed. Choose another name, or remove that application first with 'millrace app delete'."
            .formatted(name, to, why));
  }

  private long now() {
    return Math.max(0, waiting.clock().millis());
  }

  private interface Written {
    RecordBatch after(Recorded recorded);
  }

  /// Writes a record to the topic with the plans of a name, alone.
  ///
  /// @param otherwise what is so if it is not written
  /// @param check refuses what was recorded before
  private void write(String name, String otherwise, Consumer<Recorded> check, Written record) {
    Split split = new Split(VersionLog.topic(name).name(), 0);
    try (TransactionalWriter writer = VersionLog.writer(log, name)) {
      writer.open();
      Recorded before = recorded(name);
      check.accept(before);
      writer.send(split, record.after(before));
      Outcome outcome = waiting.commit(writer);
      if (outcome != Outcome.COMMITTED) {
        throw new ResetException(
            "The name could not be written to %s. %s Run the same command again. %s"
                .formatted(split, otherwise, writer.failure())
                .strip());
      }
    }
  }

  private Recorded recorded(String name) {
    return VersionLog.recordedLast(name, log, waiting.clock(), waiting.pause());
  }
}
