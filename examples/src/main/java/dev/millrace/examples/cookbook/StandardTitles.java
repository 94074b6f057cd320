package dev.millrace.examples.cookbook;

import static dev.millrace.api.With.broadcast;
import static dev.millrace.json.Json.json;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Titles and companies as members write them, and what they mean, by models that are replaced
/// while the job runs.
public final class StandardTitles implements StreamApplication {
  /// What a member wrote.
  public record Profile(String title, String company) {}

  /// What words mean. A real model has weights here.
  ///
  /// @param version from 1; which one gave an answer is written with it
  public record Model(int version, Map<String, String> meanings) {
    Standard standard(String written) {
      String words = written.strip().toLowerCase(Locale.ROOT);
      return new Standard(meanings.getOrDefault(words, "unknown"), version);
    }
  }

  /// A meaning, and the version of the model that found it.
  public record Standard(String meaning, int version) {}

  /// A profile halfway.
  public record Titled(Profile profile, @Nullable Standard title) {}

  /// What a profile means; null where there is no model yet.
  public record StandardProfile(@Nullable Standard title, @Nullable Standard company) {}

  @Override
  public void describe(Topology topology) {
    var profiles =
        topology.from(Kafka.source("profiles").key(Serdes.string()).value(json(Profile.class)));
    var models =
        topology.broadcastTable(
            "models", Kafka.source("models").key(Serdes.string()).value(json(Model.class)));

    profiles
        .leftJoin(
            "titled",
            broadcast(models, _ -> "titles"),
            (profile, model) -> new Titled(profile, standard(model, profile.title())))
        .leftJoin(
            "standard",
            broadcast(models, _ -> "companies"),
            (titled, model) ->
                new StandardProfile(titled.title(), standard(model, titled.profile().company())))
        .to(
            Kafka.sink("standard-profiles")
                .key(Serdes.string())
                .value(json(StandardProfile.class)));
  }

  private static @Nullable Standard standard(@Nullable Model model, String written) {
    return model == null ? null : model.standard(written);
  }
}
