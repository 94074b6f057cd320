package dev.millrace.internal.beam.portable.stage;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.FinalizeBundleRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleProgressResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleRequest.CacheToken;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.runners.fnexecution.control.BundleProgressHandler;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.runners.fnexecution.control.OutputReceiverFactory;
import org.apache.beam.runners.fnexecution.control.RemoteBundle;
import org.apache.beam.runners.fnexecution.control.StageBundleFactory;
import org.apache.beam.runners.fnexecution.control.TimerReceiverFactory;
import org.apache.beam.runners.fnexecution.state.StateRequestHandler;
import org.apache.beam.sdk.fn.data.FnDataReceiver;
import org.apache.beam.sdk.util.UserCodeException;
import org.apache.beam.sdk.util.construction.Timer;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// The harness that runs a stage, as one task sees it. While it has a bundle, the thread of the
/// task does what it asks for.
final class Harness implements AutoCloseable {
  /// How long a bundle of a splittable transform may take before it is asked to end.
  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final StageSpec spec;
  private final StageBundleFactory bundles;
  private final CacheToken token;
  private int count;

  Harness(StageSpec spec, JobBundleFactory job, CacheToken token) {
    this.spec = spec;
    this.token = token;
    bundles = job.forStage(spec.stage());
  }

  /// What a harness says at the end of a bundle.
  ///
  /// @param splits what it has given back before
  /// @param finalized the id of the bundle, if the harness wants to know when it is committed
  record Ended(
      ProcessBundleResponse response,
      List<ProcessBundleSplitResponse> splits,
      @Nullable String finalized) {}

  /// Has a bundle processed, and returns when nothing more can come of it.
  ///
  /// @throws UserCodeException if it has failed
  Ended process(Bundle bundle, BundleReceiver receiver) {
    Mailbox mailbox = new Mailbox();
    Checkpoints checkpoints = new Checkpoints(bundles.getInstructionRequestHandler());
    CompletableFuture<Ending> ended = new CompletableFuture<>();
    Thread.ofVirtual()
        .name(spec.operator() + "-bundle-" + count++)
        .start(() -> send(bundle, receiver, mailbox, checkpoints, ended));
    try {
      mailbox.serve(
          INTERVAL,
          () -> {
            if (spec.isSplittable()) {
              checkpoints.ask();
            }
          });
      return ended.get().ended(checkpoints.answers());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a bundle was processed.", e);
    } catch (ExecutionException e) {
      throw UserCodeException.wrap(StageFailure.of(spec.step(), e.getCause()));
    } finally {
      mailbox.close();
    }
  }

  private void send(
      Bundle bundle,
      BundleReceiver receiver,
      Mailbox mailbox,
      Checkpoints checkpoints,
      CompletableFuture<Ending> ended) {
    Ending ending = new Ending();
    try {
      try (RemoteBundle remote = open(receiver, mailbox, ending)) {
        FnDataReceiver<WindowedValue<?>> elements = input(remote);
        for (WindowedValue<Object> each : bundle.elements()) {
          elements.accept(each);
        }
        for (StageTimers.Due each : bundle.timers()) {
          timers(remote, each.receiver()).accept(each.timer());
        }
        checkpoints.sent(
            remote.getId(),
            remote.getInputReceivers().keySet().iterator().next(),
            bundle.elements().size());
      }
      ended.complete(ending);
      // outermost: whatever has failed is told to the thread of the task
    } catch (Throwable e) {
      ended.completeExceptionally(e);
    } finally {
      mailbox.end();
    }
  }

  private RemoteBundle open(BundleReceiver receiver, Mailbox mailbox, Ending ending)
      throws Exception {
    return bundles.getBundle(
        outputs(receiver, mailbox),
        new TimerReceiverFactory(
            bundles,
            (timer, data) -> {
              try {
                mailbox.put(() -> receiver.timer(timer, data));
              } catch (InterruptedException e) {
                throw interrupted(e);
              }
            },
            spec.windowing().getWindowFn().windowCoder()),
        states(receiver, mailbox),
        ending,
        id -> ending.finalized = id,
        response -> {
          // What is left of elements is in the response, which is told, too.
        });
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("Interrupted while the task was to take what has come.", e);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static FnDataReceiver<WindowedValue<?>> input(RemoteBundle remote) {
    Map<String, FnDataReceiver> inputs = remote.getInputReceivers();
    if (inputs.size() != 1) {
      throw new IllegalStateException("A stage has one input, not " + inputs.keySet());
    }
    return inputs.values().iterator().next();
  }

  @SuppressWarnings("rawtypes") // as Beam has it
  private static FnDataReceiver<Timer> timers(RemoteBundle remote, KV<String, String> family) {
    return Objects.requireNonNull(
        remote.getTimerReceivers().get(family), () -> "The stage has no timers " + family);
  }

  private static OutputReceiverFactory outputs(BundleReceiver receiver, Mailbox mailbox) {
    return new OutputReceiverFactory() {
      @Override
      public <T> FnDataReceiver<T> create(String collection) {
        return element ->
            mailbox.put(() -> receiver.element(collection, (WindowedValue<?>) element));
      }
    };
  }

  private StateRequestHandler states(BundleReceiver receiver, Mailbox mailbox) {
    return new StateRequestHandler() {
      @Override
      public CompletionStage<StateResponse.Builder> handle(StateRequest request) throws Exception {
        // Waits: what sends the answers must not be used by two threads at a time.
        return CompletableFuture.completedFuture(mailbox.ask(() -> receiver.state(request)));
      }

      @Override
      public Iterable<CacheToken> getCacheTokens() {
        return List.of(token);
      }
    };
  }

  /// Tells the harness that bundles are committed which asked for it.
  void finalizeBundles(List<String> ids) {
    for (String id : ids) {
      bundles
          .getInstructionRequestHandler()
          .handle(
              InstructionRequest.newBuilder()
                  .setFinalizeBundle(FinalizeBundleRequest.newBuilder().setInstructionId(id))
                  .build());
    }
  }

  @Override
  public void close() {
    try {
      bundles.close();
      // outermost: nothing is left to be done for the stage, whatever it is
    } catch (Exception e) {
      throw new IllegalStateException("The stage could not be closed: " + e.getMessage(), e);
    }
  }

  /// What is said at the end of a bundle, before it is closed.
  private static final class Ending implements BundleProgressHandler {
    private volatile @Nullable ProcessBundleResponse response;
    private volatile @Nullable String finalized;

    @Override
    public void onProgress(ProcessBundleProgressResponse progress) {
      // What is counted is taken over when the bundle has ended.
    }

    @Override
    public void onCompleted(ProcessBundleResponse completed) {
      response = completed;
    }

    Ended ended(List<ProcessBundleSplitResponse> splits) {
      ProcessBundleResponse known = response;
      if (known == null) {
        throw new IllegalStateException("A bundle has ended without a response.");
      }
      return new Ended(known, splits, finalized);
    }
  }
}
