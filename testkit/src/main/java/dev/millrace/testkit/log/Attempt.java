package dev.millrace.testkit.log;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import dev.millrace.testkit.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One transaction as its writer sees it: the requests on their way, and what was answered.
///
/// Requests to one split arrive in order, those to different splits in any. The end is sent when
/// all else was answered. An attempt that is over listens to no answer; its requests may still
/// arrive, and the broker knows by the epoch whether it takes them.
final class Attempt {
  private static final Duration FIRST_RETRY = Duration.ofMillis(1);
  private static final Duration SLOWEST_RETRY = Duration.ofMillis(20);
  private static final Split POSITIONS = new Split("", -1);

  /// Is told how the attempt went, once.
  interface Listener {
    void committed(Attempt attempt, WriterId next);

    void aborted(Attempt attempt, WriterId next, String why);

    void unknown(Attempt attempt, String why);

    void fenced(Attempt attempt, String why);
  }

  private final Link link;
  private final int life;
  private final WriterId writer;
  private final Listener listener;

  private final TreeMap<Split, Lane> queues = new TreeMap<>();
  private final TreeMap<Split, Lane> outsideQueues = new TreeMap<>();
  private final List<Request> requests = new ArrayList<>();
  private final TreeMap<Split, Long> ends = new TreeMap<>();
  private int unanswered;
  private boolean begun;
  private boolean committing;
  private boolean over;
  private String failure = "";

  Attempt(Link link, WriterId writer, Listener listener) {
    this.link = link;
    life = link.life();
    this.writer = writer;
    this.listener = listener;
  }

  /// The offsets behind the last records sent to each split, as far as they were taken.
  Map<Split, Long> ends() {
    return ends;
  }

  /// Whether this transaction will be aborted because something could not be sent.
  boolean hasFailed() {
    return !failure.isEmpty();
  }

  /// Sends records, unless all is in vain already; takes over the reference.
  void send(Split to, RecordBatch batch) {
    if (over || hasFailed() || batch.size() == 0) {
      batch.release();
      return;
    }
    Request request = new Request(to, batch);
    request.action = answerer -> link.broker().produce(writer, to, answerer.payloads());
    begun = true;
    transmit(request, queues);
  }

  /// Sends records that no abort takes back, unless all is in vain already; takes over the
  /// reference.
  void sendOutside(Split to, RecordBatch batch) {
    if (over || hasFailed() || batch.size() == 0) {
      batch.release();
      return;
    }
    Request request = new Request(to, batch);
    request.outside = true;
    request.action = answerer -> link.broker().produceOutside(to, answerer.payloads());
    transmit(request, outsideQueues);
  }

  void sendPositions(String group, Map<Split, Long> positions) {
    if (over || hasFailed()) {
      return;
    }
    Request request = new Request(POSITIONS, null);
    request.action = answerer -> link.broker().coordinator.addPositions(writer, group, positions);
    begun = true;
    transmit(request, queues);
  }

  private void transmit(Request request, TreeMap<Split, Lane> all) {
    unanswered++;
    Lane lane = all.computeIfAbsent(request.to, to -> new Lane());
    lane.queue.add(request);
    requests.add(request);
    if (link.seed().chance(link.faults().failedSends())) {
      String message = "The log refused what was sent to " + request.to + " by " + writer + ".";
      request.action = answerer -> Answer.failed(message);
    }
    link.request(
        life,
        () -> {
          request.arrived = true;
          drain(lane, FIRST_RETRY);
        });
    if (!request.answered && !over) {
      Duration patience = link.faults().giveUp();
      request.patience =
          link.timer(
              life,
              patience,
              () -> fail("Nothing sent to " + request.to + " was answered in " + patience + "."));
    }
  }

  /// Carries out what has arrived, in order.
  ///
  /// @param retry how soon to try again what cannot be done yet
  private void drain(Lane lane, Duration retry) {
    Request next = lane.queue.peek();
    while (next != null && next.arrived && !lane.hasGap) {
      Request request = next;
      Answer answer = request.action.apply(request);
      if (answer.code() == Answer.Code.RETRY) {
        if (over || life != link.life()) {
          lane.hasGap = true;
        } else {
          link.broker().scheduler.after(retry, () -> drain(lane, slower(retry)));
        }
        return;
      }
      lane.queue.poll();
      lane.hasGap = answer.code() != Answer.Code.OK;
      link.answer(life, () -> answered(request, answer));
      next = lane.queue.peek();
    }
  }

  private void answered(Request request, Answer answer) {
    request.answered = true;
    if (over || hasFailed()) {
      return;
    }
    request.settle();
    switch (answer.code()) {
      case OK -> {
        if (request.batch != null && !request.outside) {
          ends.merge(request.to, answer.offset() + request.size, Math::max);
        }
        unanswered--;
        if (committing && unanswered == 0) {
          decide(true);
        }
      }
      case FENCED -> {
        abandon();
        listener.fenced(this, answer.message());
      }
      case FAILED -> fail(answer.message());
      case RETRY -> throw new IllegalStateException("A retry is no answer.");
    }
  }

  private void fail(String why) {
    if (over || hasFailed()) {
      return;
    }
    failure = why;
    letGo();
    decide(false);
  }

  void commit() {
    if (over || hasFailed()) {
      return;
    }
    committing = true;
    if (unanswered == 0) {
      decide(true);
    }
  }

  void abort() {
    if (over || hasFailed()) {
      return;
    }
    failure = "The writer aborted the transaction.";
    letGo();
    decide(false);
  }

  /// Ends the transaction; one that the log has not heard of is over at once.
  private void decide(boolean commit) {
    if (begun) {
      sendEnd(commit);
      return;
    }
    over = true;
    if (commit) {
      listener.committed(this, writer);
    } else {
      listener.aborted(this, writer, failure);
    }
  }

  private void sendEnd(boolean commit) {
    Faults faults = link.faults();
    boolean requestLost = link.seed().chance(faults.lostRequests());
    boolean answerLost = link.seed().chance(faults.lostAnswers());
    if (!requestLost) {
      link.request(life, () -> end(commit, answerLost, FIRST_RETRY));
    }
    if (over) {
      return;
    }
    Duration patience = faults.giveUp();
    if (requestLost || answerLost) {
      Duration noticed = link.seed().between(Duration.ZERO, faults.giveUp());
      if (link.seed().coin()) {
        link.timer(life, noticed, () -> repeatEnd(commit));
      } else {
        patience = noticed;
      }
    }
    Duration patient = patience;
    link.timer(life, patient, () -> giveUp(commit, patient));
  }

  /// Asks again for an end whose answer is missing. Should another writer have taken over
  /// meanwhile, the answer says so even if the transaction was committed.
  private void repeatEnd(boolean commit) {
    if (!over) {
      link.request(life, () -> end(commit, false, FIRST_RETRY));
    }
  }

  private void end(boolean commit, boolean answerLost, Duration retry) {
    Coordinator.Ended ended = link.broker().coordinator.end(writer, commit);
    if (ended.answer().code() == Answer.Code.RETRY) {
      if (!over && life == link.life()) {
        link.broker().scheduler.after(retry, () -> end(commit, answerLost, slower(retry)));
      }
    } else if (!answerLost) {
      link.answer(life, () -> endAnswered(commit, ended));
    }
  }

  private static Duration slower(Duration retry) {
    Duration doubled = retry.multipliedBy(2);
    return doubled.compareTo(SLOWEST_RETRY) < 0 ? doubled : SLOWEST_RETRY;
  }

  private void endAnswered(boolean commit, Coordinator.Ended ended) {
    if (over) {
      return;
    }
    abandon();
    switch (ended.answer().code()) {
      case OK -> {
        if (commit) {
          listener.committed(this, ended.next());
        } else {
          listener.aborted(this, ended.next(), failure);
        }
      }
      case FENCED -> listener.fenced(this, ended.answer().message());
      case FAILED, RETRY -> throw new IllegalStateException(ended.answer().message());
    }
  }

  private void giveUp(boolean commit, Duration patience) {
    if (!over) {
      abandon();
      String verb = commit ? "commit" : "abort";
      listener.unknown(this, "The log did not answer the " + verb + " in " + patience + ".");
    }
  }

  /// Listens to nothing any more.
  void abandon() {
    over = true;
    letGo();
  }

  /// Gives back the batches; what is on its way travels on as a copy.
  private void letGo() {
    requests.forEach(Request::settle);
  }

  /// The requests to one split, in order.
  private static final class Lane {
    final Deque<Request> queue = new ArrayDeque<>();

    /// Whether one was not carried out. The broker takes nothing behind it.
    boolean hasGap;
  }

  /// Something on its way to the broker.
  private static final class Request {
    final Split to;
    final @Nullable RecordBatch batch;
    final int size;
    Function<Request, Answer> action = request -> Answer.DONE;
    boolean outside;
    boolean arrived;
    boolean answered;
    private boolean settled;
    private @Nullable List<Payload> payloads;
    Scheduler.@Nullable Event patience;

    Request(Split to, @Nullable RecordBatch batch) {
      this.to = to;
      this.batch = batch;
      size = batch == null ? 0 : batch.size();
    }

    List<Payload> payloads() {
      if (payloads == null) {
        payloads = batch == null ? List.of() : Payload.copy(batch);
      }
      return payloads;
    }

    /// Gives the batch back.
    void settle() {
      if (!settled) {
        settled = true;
        payloads();
        if (batch != null) {
          batch.release();
        }
        if (patience != null) {
          patience.cancel();
        }
      }
    }
  }
}
