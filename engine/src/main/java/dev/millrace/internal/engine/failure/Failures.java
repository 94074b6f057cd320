package dev.millrace.internal.engine.failure;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.chain.ChainFailure;
import dev.millrace.internal.engine.commit.CannotBeginException;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.input.MovedKeyException;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.Remedies;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.state.RefusedAtCommitException;
import dev.millrace.internal.state.UnknownStoreException;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.SinkException;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says what is to be made of what a worker's tasks throw.
public final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private final Plan plan;
  private final OnError policy;
  private final BadRecords badRecords;
  private final BadResults badResults;
  private final LogLookup log;
  private final FailedWork work;

  /// @param policy for bad input
  /// @param work what the tasks were doing
  public Failures(
      Plan plan,
      OnError policy,
      BadRecords badRecords,
      BadResults badResults,
      Log log,
      FailedWork work) {
    this.plan = plan;
    this.policy = policy;
    this.badRecords = badRecords;
    this.badResults = badResults;
    this.log = new LogLookup(log);
    this.work = work;
  }

  /// What went wrong at the task at work, which is also noted where it must be.
  public Failure of(Throwable thrown) {
    Plan.TaskId id = work.task();
    String where = id == null ? "A task" : "Task " + id;
    return switch (thrown) {
      case LogException e when e.kind() == LogException.Kind.POSITION_LOST ->
          new Failure(
              Failure.Kind.SETUP,
              "%s: %s\n%s".formatted(where, e.getMessage(), wayOut(e.split())),
              e);
      case LogException e ->
          new Failure(Failure.Kind.of(e.kind()), where + ": " + e.getMessage(), e);
      case DiskException e when e.kind() == DiskException.Kind.IN_USE ->
          new Failure(Failure.Kind.FINAL, where + ": " + e.getMessage(), e);
      case DiskException e when e.kind() == DiskException.Kind.FULL -> {
        work.noSpace();
        yield new Failure(Failure.Kind.NO_SPACE, where + ": " + e.getMessage(), e);
      }
      case DiskException e -> {
        if (id != null) {
          work.diskFailed(id, e);
        }
        yield new Failure(Failure.Kind.MENDABLE, where + ": " + e.getMessage(), e);
      }
      case RefusedAtCommitException e ->
          new Failure(Failure.Kind.MENDABLE, where + ": " + e.getMessage(), e);
      case SinkException e -> new Failure(Failure.Kind.MENDABLE, where + ": " + e.getMessage(), e);
      case CannotBeginException e ->
          new Failure(Failure.Kind.SETUP, Objects.requireNonNullElse(e.getMessage(), ""), null);
      case MovedKeyException e -> {
        String message = e.message(plan.application(), log.partitions(e.topic()));
        LOG.error("{}", message);
        yield new Failure(Failure.Kind.SETUP, message, null);
      }
      case UnknownStoreException e ->
          new Failure(Failure.Kind.SETUP, Objects.requireNonNullElse(e.getMessage(), ""), null);
      case VirtualMachineError e ->
          new Failure(Failure.Kind.FINAL, where + " exhausted a resource of the JVM: " + e, e);
      default -> inUserCode(id, where, thrown);
    };
  }

  /// What helps where records are gone that were not read.
  private String wayOut(@Nullable Split lost) {
    String application = plan.application();
    boolean source =
        lost != null
            && plan.stages().stream()
                .flatMap(stage -> stage.inputs().stream())
                .anyMatch(each -> each.exchange() == null && each.stream().equals(lost.stream()));
    long start = source ? log.start(Objects.requireNonNull(lost)) : -1;
    String anew = Remedies.beginAnew(application);
    return start < 0
        ? anew
        : Remedies.passOver(application, Objects.requireNonNull(lost), start) + "\n" + anew;
  }

  private Failure inUserCode(Plan.@Nullable TaskId task, String where, Throwable thrown) {
    Chain chain = work.chain();
    ChainFailure failed = chain == null ? null : chain.failure();
    String operator = failed == null ? "" : failed.operator();
    String cause = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    if (task == null || failed == null || operator.isEmpty()) {
      return new Failure(Failure.Kind.FINAL, where + " failed: " + cause, thrown);
    }
    ChainFailure.Result result = failed.result();
    if (result != null) {
      return atResult(task, result, where, operator, thrown, cause);
    }
    CurrentRecords atWork = work.records();
    RecordPlace place = atWork.record(failed.record());
    RecordPlace last = place != null && failed.isCertain() ? null : atWork.lastOfMany();
    boolean suspect = last != null && badRecords.suspect(task.stage(), last);
    if (place != null && !suspect) {
      return atRecord(task.stage(), place, where, operator, thrown, cause);
    }
    if (suspect) {
      return new Failure(
          Failure.Kind.PROGRESS,
          "%s failed in %s at one of the records up to %s, which are now processed one by one: %s"
              .formatted(where, operator, last, cause),
          thrown);
    }
    String at =
        atWork.isInMemory()
            ? "at a record without an offset, because it came through memory; with exchanges by"
                + " topic it has an offset, with which it can be skipped"
            : "at an unknown record";
    return new Failure(
        Failure.Kind.FINAL,
        "%s failed in %s, %s: %s".formatted(where, operator, at, cause),
        thrown);
  }

  private Failure atRecord(
      int stage, RecordPlace place, String where, String operator, Throwable thrown, String cause) {
    // Made for each bad record.
    String message =
        where + " cannot process the record at " + place + " in " + operator + ": " + cause;
    if (policy == OnError.FAIL) {
      return new Failure(
          Failure.Kind.BAD_INPUT,
          message
              + "\nSkip it with --skip "
              + place
              + ", or send all such records to a topic with errors.on-error: dead-letter.",
          thrown);
    }
    badResults.log().warn(message);
    badRecords.add(stage, place, operator, cause);
    return new Failure(Failure.Kind.PROGRESS, message, thrown);
  }

  private Failure atResult(
      Plan.TaskId task,
      ChainFailure.Result result,
      String where,
      String operator,
      Throwable thrown,
      String cause) {
    Due due = result.due();
    if (due == null) {
      String message =
          "%s failed in %s when event time advanced: %s".formatted(where, operator, cause);
      boolean narrows = badResults.beCareful(task);
      return new Failure(
          narrows ? Failure.Kind.PROGRESS : Failure.Kind.FINAL,
          narrows ? message + "\nResults are now computed one by one." : message,
          thrown);
    }
    String message =
        "%s cannot process %s in %s: %s".formatted(where, inWords(result, due), operator, cause);
    if (policy == OnError.FAIL) {
      return new Failure(
          Failure.Kind.BAD_INPUT,
          message + "\nSend all such results to a topic with errors.on-error: dead-letter.",
          thrown);
    }
    badResults.log().warn(message);
    badResults.add(task, result.operator().name(), due, operator, cause);
    return new Failure(Failure.Kind.PROGRESS, message, thrown);
  }

  private static String inWords(ChainFailure.Result result, Due due) {
    Window window = due.window();
    return "the %s of %s '%s' for %s, %s"
        .formatted(
            due.kind(),
            result.operator().kind(),
            result.operator().name(),
            key(result.operator(), due.key()),
            window == null
                ? "due at " + DeadLetters.time(due.time())
                : "of the window from %s to %s".formatted(window.start(), window.end()));
  }

  private static String key(Node.Stateful operator, @Nullable Bytes key) {
    if (key == null) {
      return "no key";
    }
    Serde<Object> keys = operator.keySerde();
    try {
      return "key " + (keys == null ? key : keys.read(key));
    } catch (SerdeException e) {
      return "key " + key;
    }
  }
}
