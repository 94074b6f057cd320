package dev.millrace.internal.beam.portable.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleSplitRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleSplitRequest.DesiredSplit;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.apache.beam.runners.fnexecution.control.InstructionRequestHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a harness to give back what it has not processed of one bundle, as often as the bundle
/// takes too long: an element of a splittable transform may be processed for ever. Used by the
/// thread of the task, but for what is said by [#sent].
final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  private final InstructionRequestHandler harness;
  private final List<CompletableFuture<InstructionResponse>> asked = new ArrayList<>();
  private volatile @Nullable Sent sent;

  /// A bundle of which all is sent.
  ///
  /// @param input where its elements go
  private record Sent(String bundle, String input, int elements) {}

  Checkpoints(InstructionRequestHandler harness) {
    this.harness = harness;
  }

  /// All of the bundle is sent: from now on the harness may be asked.
  ///
  /// @param bundle the id of the bundle
  /// @param input the id of the transform that reads its elements
  void sent(String bundle, String input, int elements) {
    sent = new Sent(bundle, input, elements);
  }

  /// Asks the harness.
  void ask() {
    Sent known = sent;
    if (known == null) {
      return;
    }
    DesiredSplit all =
        DesiredSplit.newBuilder()
            .setFractionOfRemainder(0)
            .setEstimatedInputElements(known.elements())
            .build();
    asked.add(
        harness
            .handle(
                InstructionRequest.newBuilder()
                    .setInstructionId("split-" + known.bundle() + "-" + asked.size())
                    .setProcessBundleSplit(
                        ProcessBundleSplitRequest.newBuilder()
                            .setInstructionId(known.bundle())
                            .putDesiredSplits(known.input(), all))
                    .build())
            .toCompletableFuture());
  }

  /// Returns what the harness has given back, in the order in which it was asked.
  List<ProcessBundleSplitResponse> answers() throws InterruptedException {
    List<ProcessBundleSplitResponse> answers = new ArrayList<>();
    for (CompletableFuture<InstructionResponse> each : asked) {
      try {
        answers.add(each.get().getProcessBundleSplit());
      } catch (ExecutionException e) {
        LOG.debug("A bundle was not split; it may have ended.", e);
      }
    }
    return answers;
  }
}
