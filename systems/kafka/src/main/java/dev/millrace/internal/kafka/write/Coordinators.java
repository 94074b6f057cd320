package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.internal.kafka.client.Words;
import dev.millrace.internal.kafka.wire.Lane;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.jspecify.annotations.Nullable;

/// Sends requests to the brokers that coordinate transactions and groups. A call waits; other
/// requests of the wire continue meanwhile. Used by one thread.
public final class Coordinators {
  private static final Duration STEP = Duration.ofMillis(20);
  private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();
  private static final int LANE = 1;

  private final Wire wire;
  private final Lane lane;
  private final Runnable between;
  private final Duration pause;
  private final Map<CoordinatorType, Map<String, Node>> known =
      new EnumMap<>(CoordinatorType.class);

  private static final class Call {
    private boolean answered;
    private @Nullable AbstractResponse body;
  }

  /// @param between runs whenever this thread is about to wait
  /// @param pause before something is tried again
  public Coordinators(Wire wire, Runnable between, Duration pause) {
    this.wire = wire;
    lane = wire.lane(LANE);
    this.between = between;
    this.pause = pause;
  }

  /// Sends a request, repeatedly until the answer is not a transient error of the coordinator.
  ///
  /// @param request may be sent several times
  /// @param error what an answer says
  /// @param deadlineNanos as of [System#nanoTime]
  /// @throws LogException of kind `UNAVAILABLE` if there was none in time
  <R extends AbstractResponse> R ask(
      CoordinatorType type,
      String key,
      AbstractRequest.Builder<?> request,
      Class<R> answerType,
      Function<R, Errors> error,
      long deadlineNanos) {
    String trouble = "no answer";
    long begunNanos = System.nanoTime();
    while (System.nanoTime() - deadlineNanos < 0) {
      Node node = find(type, key, deadlineNanos);
      AbstractResponse body = exchange(node, request, deadlineNanos);
      if (body == null) {
        forget(type, key);
        continue;
      }
      R answer = answerType.cast(body);
      Errors told = error.apply(answer);
      switch (told) {
        case COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR -> {
          forget(type, key);
          pause(deadlineNanos);
        }
        case COORDINATOR_LOAD_IN_PROGRESS, CONCURRENT_TRANSACTIONS ->
            pauseShortly(System.nanoTime() - begunNanos, deadlineNanos);
        case REQUEST_TIMED_OUT -> pause(deadlineNanos);
        default -> {
          return answer;
        }
      }
      trouble = told.message();
    }
    throw unavailable(type, key, trouble);
  }

  /// Sends a request to any broker, repeatedly until there is an answer.
  ///
  /// @throws LogException of kind `UNAVAILABLE` if there was none in time
  <R extends AbstractResponse> R askAnyone(
      AbstractRequest.Builder<?> request, Class<R> answerType, long deadlineNanos) {
    while (System.nanoTime() - deadlineNanos < 0) {
      Node any = lane.anyBroker();
      if (any == null) {
        poll(STEP);
        continue;
      }
      AbstractResponse body = exchange(any, request, deadlineNanos);
      if (body != null) {
        return answerType.cast(body);
      }
    }
    throw new LogException(Kind.UNAVAILABLE, "No broker answers in time.");
  }

  private void forget(CoordinatorType type, String key) {
    known(type).remove(key);
  }

  private Map<String, Node> known(CoordinatorType type) {
    return known.computeIfAbsent(type, each -> new HashMap<>());
  }

  private Node find(CoordinatorType type, String key, long deadlineNanos) {
    String trouble = "no broker answers";
    while (System.nanoTime() - deadlineNanos < 0) {
      Node found = known(type).get(key);
      if (found != null) {
        return found;
      }
      Node any = lane.anyBroker();
      if (any == null) {
        poll(STEP);
        continue;
      }
      AbstractResponse body =
          exchange(
              any,
              new FindCoordinatorRequest.Builder(
                  new FindCoordinatorRequestData()
                      .setKeyType(type.id())
                      .setCoordinatorKeys(List.of(key))),
              deadlineNanos);
      if (body instanceof FindCoordinatorResponse answer) {
        Coordinator coordinator = coordinator(answer, key);
        Errors told =
            coordinator == null
                ? Errors.COORDINATOR_NOT_AVAILABLE
                : Errors.forCode(coordinator.errorCode());
        if (coordinator != null && told == Errors.NONE) {
          Node broker = new Node(coordinator.nodeId(), coordinator.host(), coordinator.port());
          known(type).put(key, lane.of(broker));
        } else if (told.exception() instanceof RetriableException) {
          trouble = told.message();
          pause(deadlineNanos);
        } else {
          throw KafkaFailures.of(
              "Searching for the coordinator of '" + key + "'", told.exception());
        }
      }
    }
    throw unavailable(type, key, trouble);
  }

  /// Returns the answer for a key, null if there is none that makes sense.
  private static @Nullable Coordinator coordinator(FindCoordinatorResponse answer, String key) {
    for (Coordinator each : answer.coordinators()) {
      boolean placed = each.nodeId() >= 0 && each.port() > 0 && !each.host().isEmpty();
      if (key.equals(each.key()) && (placed || each.errorCode() != Errors.NONE.code())) {
        return each;
      }
    }
    return null;
  }

  /// Sends one request and returns its answer, or null if there was none.
  private @Nullable AbstractResponse exchange(
      Node node, AbstractRequest.Builder<?> request, long deadlineNanos) {
    while (!wire.isReady(node)) {
      if (System.nanoTime() - deadlineNanos >= 0) {
        return null;
      }
      poll(STEP);
      if (wire.hasFailed(node)) {
        pause(deadlineNanos);
        return null;
      }
    }
    Call call = new Call();
    wire.send(node, request, response -> take(call, response));
    while (!call.answered && System.nanoTime() - deadlineNanos < 0) {
      poll(STEP);
    }
    return call.body;
  }

  private void poll(Duration atMost) {
    between.run();
    wire.poll(atMost);
  }

  private static void take(Call call, ClientResponse response) {
    UnsupportedVersionException mismatch = response.versionMismatch();
    if (mismatch != null) {
      throw mismatch;
    }
    call.answered = true;
    call.body = response.responseBody();
  }

  /// Pauses while the coordinator processes the same transaction. That usually takes some
  /// milliseconds, so the pause is short at first and becomes longer.
  private void pauseShortly(long waitedNanos, long deadlineNanos) {
    pause(Math.min(Math.max(SHORTEST_NANOS, waitedNanos / 4), pause.toNanos()), deadlineNanos);
  }

  private void pause(long deadlineNanos) {
    pause(pause.toNanos(), deadlineNanos);
  }

  private void pause(long nanos, long deadlineNanos) {
    long until = Math.min(System.nanoTime() + nanos, deadlineNanos);
    while (System.nanoTime() - until < 0) {
      poll(Duration.ofMillis(1));
    }
  }

  private static LogException unavailable(CoordinatorType type, String key, String trouble) {
    return new LogException(
        Kind.UNAVAILABLE,
        "The %s coordinator of '%s' did not answer in time: %s."
            .formatted(type.name().toLowerCase(Locale.ROOT), key, Words.clause(trouble)));
  }
}
