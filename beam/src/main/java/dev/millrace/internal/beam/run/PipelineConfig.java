package dev.millrace.internal.beam.run;

import dev.millrace.config.ConfigLoader;
import dev.millrace.config.JobConfig;
import dev.millrace.config.LoadedConfig;
import dev.millrace.config.LogConfig;
import dev.millrace.config.PlacementConfig.Exchanges;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PValue;

/// The configuration under which a pipeline runs: as that of any application, but for where it runs
/// if nothing is said.
public final class PipelineConfig {
  private static final String EXCHANGES = "placement.exchanges";

  /// The origin of settings that nobody gave.
  private static final String BY_DEFAULT = "default";

  private PipelineConfig() {}

  /// Returns the configuration of a pipeline.
  ///
  /// @param settings as flags without the hyphens, such as `commit.interval=100ms`
  /// @param variables the environment
  /// @throws dev.millrace.spi.settings.ConfigException if a setting is wrong
  /// @throws IllegalArgumentException if the pipeline is unbounded, and nothing says where its
  ///   state is to outlive the process
  public static JobConfig of(
      Pipeline pipeline, List<String> settings, Map<String, String> variables) {
    return of(isBounded(pipeline), settings, variables);
  }

  /// Returns the configuration of a pipeline of which is known whether it is bounded.
  public static JobConfig of(
      boolean isBounded, List<String> settings, Map<String, String> variables) {
    List<String> flags = settings.stream().map(each -> "--" + each).toList();
    LoadedConfig loaded = new ConfigLoader(Path.of(""), variables).load(flags);
    JobConfig config = loaded.job();
    if (!isGiven(loaded, EXCHANGES)) {
      config = config.withPlacement(config.placement().withExchanges(Exchanges.DIRECT));
    }
    boolean saysWhere =
        !config.kafka().bootstrap().isEmpty()
            || config.embedded().directory() != null
            || config.log().kind() == LogConfig.Kind.MEMORY;
    if (saysWhere) {
      return config;
    }
    if (!isBounded) {
      throw new IllegalArgumentException(
          "The pipeline is unbounded, and nothing says where its positions and its state are kept."
              + " Give --settings=kafka.bootstrap.servers=HOST:9092; or --settings=log=memory, with"
              + " which all is lost when the process ends.");
    }
    return config.withLog(config.log().withKind(LogConfig.Kind.MEMORY));
  }

  private static boolean isGiven(LoadedConfig loaded, String key) {
    return loaded.effective().stream()
        .anyMatch(each -> each.key().equals(key) && !each.origin().equals(BY_DEFAULT));
  }

  private static boolean isBounded(Pipeline pipeline) {
    boolean[] bounded = {true};
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitValue(PValue value, TransformHierarchy.Node producer) {
            bounded[0] &=
                !(value instanceof PCollection<?> collection)
                    || collection.isBounded() == IsBounded.BOUNDED;
          }
        });
    return bounded[0];
  }
}
