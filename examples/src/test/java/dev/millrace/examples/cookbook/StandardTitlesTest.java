package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.examples.cookbook.StandardTitles.Model;
import dev.millrace.examples.cookbook.StandardTitles.Profile;
import dev.millrace.examples.cookbook.StandardTitles.Standard;
import dev.millrace.examples.cookbook.StandardTitles.StandardProfile;
import dev.millrace.testkit.job.TestJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandardTitlesTest {
  private static final List<String> TITLES = List.of("Dev", " dev ", "Programmer", "CEO", "Wizard");
  private static final List<String> COMPANIES = List.of("Mill Ltd", "mill ltd", "Race Inc");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void eachProfileGetsWhatTheModelOfItsTimeSays(long seed) {
    Drawn drawn = new Drawn(seed, 1);
    Map<String, Model> models = new HashMap<>();
    Map<String, List<StandardProfile>> expected = new TreeMap<>();
    try (TestJob job = TestJob.of(new StandardTitles()).seed(seed)) {
      for (int step = 0; step < 12; step++) {
        for (String kind : List.of("titles", "companies")) {
          if (drawn.below(3) == 0) {
            Model model = model(kind, step + 1);
            models.put(kind, model);
            job.input("models").send(kind, model);
          }
        }
        drawn.goOn(job);
        job.process();
        for (int i = 0; i < 10; i++) {
          String member = "member" + drawn.below(20);
          Profile profile = new Profile(drawn.oneOf(TITLES), drawn.oneOf(COMPANIES));
          job.input("profiles").send(member, profile);
          expected
              .computeIfAbsent(member, _ -> new ArrayList<>())
              .add(
                  new StandardProfile(
                      standard(models.get("titles"), profile.title()),
                      standard(models.get("companies"), profile.company())));
        }
        drawn.goOn(job);
        job.process();
      }
      Map<String, List<StandardProfile>> found = new TreeMap<>();
      job.output("standard-profiles")
          .records()
          .forEach(record ->
              found
                  .computeIfAbsent((String) record.key(), _ -> new ArrayList<>())
                  .add((StandardProfile) record.value()));
      assertEquals(expected, found);
    }
  }

  private static Model model(String kind, int version) {
    Map<String, String> meanings = new TreeMap<>();
    (kind.equals("titles") ? TITLES : COMPANIES)
        .stream()
            .filter(word -> !word.equals("Wizard"))
            .forEach(
                word -> meanings.put(word.trim().toLowerCase(Locale.ROOT), word.trim() + version));
    return new Model(version, meanings);
  }

  private static Standard standard(Model model, String written) {
    if (model == null) {
      return null;
    }
    String meaning = model.meanings().get(written.trim().toLowerCase(Locale.ROOT));
    return new Standard(meaning == null ? "unknown" : meaning, model.version());
  }

  @Test
  void profilesThatAreThereAlreadyWaitForTheModels() {
    Model titles = new Model(1, Map.of("dev", "Software Engineer"));
    Model companies = new Model(4, Map.of());
    try (TestJob job = TestJob.of(new StandardTitles())) {
      job.input("profiles").send("ann", new Profile("Dev", "Mill Ltd"));
      for (int i = 0; i < 100; i++) {
        job.input("models").send("model" + i, titles);
      }
      job.input("models").send("titles", titles).send("companies", companies);
      job.output("standard-profiles")
          .hasValuesOf(
              "ann",
              new StandardProfile(
                  new Standard("Software Engineer", 1), new Standard("unknown", 4)));
    }
  }
}
