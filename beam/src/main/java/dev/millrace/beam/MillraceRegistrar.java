package dev.millrace.beam;

import java.util.List;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;
import org.apache.beam.sdk.runners.PipelineRunnerRegistrar;

/// Makes the runners and their options known to Beam, which finds these classes by itself.
public final class MillraceRegistrar {
  private MillraceRegistrar() {}

  /// Names the runners.
  public static final class Runners implements PipelineRunnerRegistrar {
    @Override
    public Iterable<Class<? extends PipelineRunner<?>>> getPipelineRunners() {
      return List.of(MillraceRunner.class, TestMillraceRunner.class);
    }
  }

  /// Names the options.
  public static final class Options implements PipelineOptionsRegistrar {
    @Override
    public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
      return List.of(MillracePipelineOptions.class);
    }
  }
}
