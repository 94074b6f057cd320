package dev.millrace.internal.beam.portable.jobs;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage.MessageImportance;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessagesResponse;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobStateEvent;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Timestamp;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.StreamObserver;

/// The states that a job has had, and what was said of it. Who asks is told all that there was, and
/// what comes, to the end of the job. Thread-safe.
final class JobEvents {
  private final Clock clock;
  private final List<JobStateEvent> states = new ArrayList<>();
  private final List<JobMessagesResponse> messages = new ArrayList<>();
  private final List<StreamObserver<JobStateEvent>> stateObservers = new ArrayList<>();
  private final List<StreamObserver<JobMessagesResponse>> messageObservers = new ArrayList<>();

  JobEvents(Clock clock) {
    this.clock = clock;
  }

  /// Returns the last state.
  synchronized JobStateEvent state() {
    return states.getLast();
  }

  /// The job is in a state now; nothing happens if it has ended before.
  synchronized void state(JobState.Enum now) {
    if (!states.isEmpty() && (isEnd(state().getState()) || state().getState() == now)) {
      return;
    }
    Instant time = clock.instant();
    JobStateEvent event =
        JobStateEvent.newBuilder()
            .setState(now)
            .setTimestamp(
                Timestamp.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()))
            .build();
    states.add(event);
    stateObservers.removeIf(each -> !told(each, event));
    say(JobMessagesResponse.newBuilder().setStateResponse(event).build());
    if (isEnd(now)) {
      stateObservers.forEach(JobEvents::end);
      messageObservers.forEach(JobEvents::end);
      stateObservers.clear();
      messageObservers.clear();
    }
  }

  /// Says something of the job.
  synchronized void say(MessageImportance importance, String text) {
    say(
        JobMessagesResponse.newBuilder()
            .setMessageResponse(
                JobMessage.newBuilder()
                    .setMessageId("message-" + messages.size())
                    .setTime(clock.instant().toString())
                    .setImportance(importance)
                    .setMessageText(text))
            .build());
  }

  private void say(JobMessagesResponse message) {
    messages.add(message);
    messageObservers.removeIf(each -> !told(each, message));
  }

  /// Tells somebody of all states.
  synchronized void states(StreamObserver<JobStateEvent> observer) {
    states.forEach(each -> told(observer, each));
    if (isEnd(state().getState())) {
      end(observer);
    } else {
      stateObservers.add(observer);
    }
  }

  /// Tells somebody of all states and messages.
  synchronized void messages(StreamObserver<JobMessagesResponse> observer) {
    messages.forEach(each -> told(observer, each));
    if (isEnd(state().getState())) {
      end(observer);
    } else {
      messageObservers.add(observer);
    }
  }

  /// Whether a job in that state goes on no more.
  static boolean isEnd(JobState.Enum state) {
    return switch (state) {
      case DONE, FAILED, CANCELLED, UPDATED, DRAINED -> true;
      default -> false;
    };
  }

  /// Whether the observer is still there.
  private static <T> boolean told(StreamObserver<T> observer, T event) {
    try {
      observer.onNext(event);
      return true;
      // outermost: who has gone says so in many ways, and the job goes on
    } catch (RuntimeException _) {
      return false;
    }
  }

  private static void end(StreamObserver<?> observer) {
    try {
      observer.onCompleted();
      // outermost: who has gone says so in many ways, and need not be told
    } catch (RuntimeException _) {
      // It has gone.
    }
  }
}
