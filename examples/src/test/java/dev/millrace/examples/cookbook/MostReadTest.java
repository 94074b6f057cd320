package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.cookbook.MostRead.Article;
import dev.millrace.examples.cookbook.MostRead.Best;
import dev.millrace.examples.cookbook.MostRead.Read;
import dev.millrace.testkit.job.TestJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MostReadTest {
  private static final List<String> ARTICLES = List.of("a1", "a2", "a3", "a4", "a5", "a6", "a7");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void eachHourHasItsMostReadArticlesWithTheirLastTitles(long seed) {
    Drawn drawn = new Drawn(seed, 550);
    Map<String, String> titles = new TreeMap<>();
    List<Read> reads = new ArrayList<>();
    try (TestJob job = TestJob.of(new MostRead()).seed(seed)) {
      for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 20; i++) {
          if (drawn.below(8) == 0) {
            String article = drawn.oneOf(ARTICLES);
            titles.put(article, "Title " + titles.size() + " of step " + step);
            job.input("articles").send(article, new Article(titles.get(article)));
          } else {
            // Some are read more than others.
            String article = ARTICLES.get(drawn.below(1 + drawn.below(ARTICLES.size())));
            Read read = new Read(article, "member", drawn.time(50));
            reads.add(read);
            job.input("reads").send(read);
          }
        }
        drawn.goOn(job);
      }
      Instant end = drawn.now().plusSeconds(7200);
      job.input("reads").sendToEveryPartition(new Read("end", "member", end));

      Map<String, Best> expected = best(reads, titles);
      assertTrue(expected.size() > 5, expected.toString());
      assertEquals(expected, new TreeMap<>(job.output("most-read").latest()));
    }
  }

  private static Map<String, Best> best(List<Read> reads, Map<String, String> titles) {
    Map<Instant, Map<String, Long>> hours = new TreeMap<>();
    for (Read read : reads) {
      Instant hour = Instant.ofEpochSecond(read.at().getEpochSecond() / 3600 * 3600);
      hours.computeIfAbsent(hour, _ -> new TreeMap<>()).merge(read.article(), 1L, Long::sum);
    }
    Map<String, Best> best = new TreeMap<>();
    hours.forEach((hour, counts) -> {
      List<String> articles = new ArrayList<>(counts.keySet());
      articles.sort(Comparator.comparing(counts::get).reversed());
      for (int i = 0; i < Math.min(3, articles.size()); i++) {
        String title = titles.get(articles.get(i));
        if (title != null) {
          best.put(hour + "/" + (i + 1), new Best(hour, i + 1, title, counts.get(articles.get(i))));
        }
      }
    });
    return best;
  }
}
