package dev.millrace.beam;

import java.util.List;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.DefaultValueFactory;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;

/// Options of pipelines that run on Millrace.
public interface MillracePipelineOptions extends PipelineOptions {

  /// Returns how many tasks each part of the pipeline has.
  @Description("How many tasks each part of the pipeline has.")
  @Default.Integer(2)
  int getParallelism();

  void setParallelism(int tasks);

  /// Returns the settings of the application, as those of `millrace.yaml`, which is read too: each
  /// such as `kafka.bootstrap.servers=localhost:9092` or `commit.interval=100ms`.
  @Description("Settings of the application, such as commit.interval=100ms.")
  @Default.InstanceFactory(NoSettings.class)
  List<String> getSettings();

  void setSettings(List<String> settings);

  /// Returns the number from which `TestMillraceRunner` draws when a pipeline dies, as if its
  /// process were killed; it begins again with what is committed, some tens of times. Null if it
  /// does not die.
  @Description(
      "The number from which TestMillraceRunner draws when a pipeline dies and begins again.")
  @Nullable Long getCrashSeed();

  void setCrashSeed(@Nullable Long seed);

  /// Gives no settings.
  final class NoSettings implements DefaultValueFactory<List<String>> {
    @Override
    public List<String> create(PipelineOptions options) {
      return List.of();
    }
  }
}
