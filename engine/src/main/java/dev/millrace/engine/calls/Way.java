package dev.millrace.engine.calls;

import dev.millrace.api.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Runs the user's code of a call.
final class Way {
  private final Call.Way<Object, Object> way;
  private final Executor executor;

  Way(Call.Way<Object, Object> way, Executor executor) {
    this.way = way;
    this.executor = executor;
  }

  /// How many things are asked at once, at most.
  int most() {
    return way instanceof Call.Batched<Object, Object> batched ? batched.most() : 1;
  }

  /// Begins a call.
  ///
  /// @param ended gets the answers or a failure, by whatever thread
  /// @return cancels it
  Future<?> begin(
      List<Object> questions, BiConsumer<@Nullable List<?>, @Nullable Exception> ended) {
    return switch (way) {
      case Call.Blocking<Object, Object> one ->
          run(() -> Collections.singletonList(one.caller().call(questions.getFirst())), ended);
      case Call.Batched<Object, Object> all ->
          run(() -> all.caller().call(new ArrayList<>(questions)), ended);
      case Call.Future<Object, Object> future -> await(future, questions.getFirst(), ended);
    };
  }

  private interface Code {
    @Nullable List<?> run() throws Exception;
  }

  private Future<?> run(Code code, BiConsumer<@Nullable List<?>, @Nullable Exception> ended) {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              List<?> answers;
              try {
                answers = code.run();
                // outermost: user code, whatever it throws
              } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
                ended.accept(null, failure(e));
                return;
              }
              ended.accept(answers, null);
            },
            true);
    executor.execute(task);
    return task;
  }

  private static Future<?> await(
      Call.Future<Object, Object> future,
      Object question,
      BiConsumer<@Nullable List<?>, @Nullable Exception> ended) {
    CompletionStage<?> stage;
    try {
      stage = future.caller().call(question);
      // outermost: user code, whatever it throws
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      ended.accept(null, failure(e));
      return CompletableFuture.completedFuture(true);
    }
    return stage
        .whenComplete((answer, thrown) -> {
          if (thrown == null) {
            ended.accept(Collections.singletonList(answer), null);
          } else {
            ended.accept(null, failure(thrown));
          }
        })
        .toCompletableFuture();
  }

  private static Exception failure(Throwable thrown) {
    return thrown instanceof Exception exception ? exception : new IllegalStateException(thrown);
  }
}
