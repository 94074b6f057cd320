package dev.millrace.testkit.sim;

import dev.millrace.api.Call;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Another system that a job asks. It gives the same answer to the same question always, late and
/// in no order, and fails as often as was agreed. It outlives the processes that ask it. Used by
/// one thread.
final class OtherSystem {
  /// How often what was asked fails before it is answered.
  private static final int MOST_FAILURES = 2;

  private static final double FAILURES = 0.2;
  private static final int BATCH = 3;
  private static final Duration NEVER = Duration.ofHours(1);

  private final Seed seed;
  private final ModelCalls late;

  /// How often it has failed to answer something.
  private final Map<Question, Integer> failures = new HashMap<>();

  private record Question(Op.Ask by, Item item) {}

  OtherSystem(Seed seed) {
    this.seed = seed;
    late = new ModelCalls(seed.fork("late"));
  }

  /// What is answered, if nothing goes wrong for good; null for nothing.
  static @Nullable Item answer(Item question) {
    return question.number() % 7 == 3 ? null : question.withNumber(2 * question.number() + 1);
  }

  /// Whether it can never be answered.
  static boolean isRefused(Item question, Op.Trouble trouble) {
    return trouble == Op.Trouble.LASTING && question.number() % 5 == 4;
  }

  /// What stands for an answer that does not come.
  static Item instead(Item question) {
    return question.withNumber(1_000);
  }

  /// Perhaps something comes to its end that was asked.
  void goOn() {
    late.step();
  }

  /// How a job asks it.
  Call<Item, Item> call(Op.Ask op) {
    Call<Item, Item> call =
        switch (op.way()) {
          case BLOCKING -> Call.blocking(item -> now(op, item));
          case FUTURE -> Call.future(item -> later(op, item));
          case BATCHED -> Call.batched(BATCH, items -> all(op, items));
        };
    call =
        switch (op.order()) {
          case KEPT -> call;
          case NONE -> call.unordered();
          case ONE_BY_ONE -> call.oneByOne();
        };
    call = call.inFlight(op.inFlight());
    if (op.cached()) {
      call = call.cache(4, Duration.ofMillis(500));
    }
    return switch (op.trouble()) {
      case NONE -> call.timeout(NEVER);
      // A call that only was slow is repeated too, so there is no saying how often.
      case PASSING -> repeated(call);
      case PAUSING -> repeated(call).breaker(3, Duration.ofMillis(20));
      case LASTING ->
          call.timeout(NEVER)
              .retries(1, Duration.ofMillis(5))
              .otherwise((item, _) -> instead(item));
    };
  }

  private static Call<Item, Item> repeated(Call<Item, Item> call) {
    return call.timeout(Duration.ofMillis(300)).retries(1_000, Duration.ofMillis(2));
  }

  private @Nullable Item now(Op.Ask op, Item question) {
    requireWell(op, List.of(question));
    return answer(question);
  }

  private List<@Nullable Item> all(Op.Ask op, List<Item> questions) {
    requireWell(op, questions);
    List<@Nullable Item> answers = new ArrayList<>();
    questions.forEach(question -> answers.add(answer(question)));
    return answers;
  }

  private CompletableFuture<@Nullable Item> later(Op.Ask op, Item question) {
    CompletableFuture<@Nullable Item> future = new CompletableFuture<>();
    if (fails(op, List.of(question)) && seed.coin()) {
      return future; // it is lost
    }
    late.execute(() -> {
      try {
        future.complete(now(op, question));
      } catch (IllegalStateException e) {
        future.completeExceptionally(e);
      }
    });
    return future;
  }

  private void requireWell(Op.Ask op, List<Item> questions) {
    if (questions.stream().anyMatch(question -> isRefused(question, op.trouble()))
        || fails(op, questions)) {
      throw new IllegalStateException("It was not to be had.");
    }
  }

  private boolean fails(Op.Ask op, List<Item> questions) {
    boolean may = op.trouble() == Op.Trouble.PASSING || op.trouble() == Op.Trouble.PAUSING;
    if (!may
        || !seed.chance(FAILURES)
        || questions.stream().anyMatch(item -> failed(new Question(op, item)) == MOST_FAILURES)) {
      return false;
    }
    questions.forEach(item -> failures.merge(new Question(op, item), 1, Integer::sum));
    return true;
  }

  private int failed(Question question) {
    return failures.getOrDefault(question, 0);
  }
}
