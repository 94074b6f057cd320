package dev.millrace.internal.engine.calls;

import dev.millrace.api.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
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
      case Call.Future<Object, Object> future ->
          await(
              () ->
                  Objects.requireNonNull(
                      future.caller().call(questions.getFirst()), "It returned no future."),
              ended);
    };
  }

  private Future<?> run(
      Callable<List<?>> code, BiConsumer<@Nullable List<?>, @Nullable Exception> ended) {
    FutureTask<List<?>> task =
        new FutureTask<>(code) {
          @Override
          protected void done() {
            if (state() == State.SUCCESS) {
              ended.accept(resultNow(), null);
            } else if (state() == State.FAILED) {
              ended.accept(null, failure(exceptionNow()));
            }
          }
        };
    executor.execute(task);
    return task;
  }

  /// What comes of code that returns at once; a task of the JDK takes what it throws, or what its
  /// stage throws when it is listened to.
  private static Future<?> await(
      Callable<CompletionStage<?>> code, BiConsumer<@Nullable List<?>, @Nullable Exception> ended) {
    FutureTask<CompletionStage<?>> begun =
        new FutureTask<>(() -> {
          CompletionStage<?> stage = code.call();
          stage.whenComplete((answer, thrown) -> {
            if (thrown == null) {
              ended.accept(Collections.singletonList(answer), null);
            } else {
              ended.accept(null, failure(thrown));
            }
          });
          return stage;
        });
    begun.run();
    if (begun.state() == Future.State.FAILED) {
      ended.accept(null, failure(begun.exceptionNow()));
      return begun;
    }
    return begun.resultNow() instanceof Future<?> cancellable ? cancellable : begun;
  }

  private static Exception failure(Throwable thrown) {
    return thrown instanceof Exception exception ? exception : new IllegalStateException(thrown);
  }
}
