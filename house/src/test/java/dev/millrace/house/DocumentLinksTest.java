package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Links between the documents lead to files and headings that exist, as a forge shows them.
class DocumentLinksTest {
  private static final String OTHER =
      """
      # The other

      ## Late records

      ## Late records

      ### `Job.late` and [the ledger](../a.md)
      """;

  @Test
  void everyLinkOfADocumentLeadsSomewhere() {
    DocumentLinks links = new DocumentLinks(repository());

    assertTrue(targets(links, "README.md").contains("docs/architecture.md"));
    assertTrue(targets(links, "docs/guide/tables.md").stream().anyMatch(to -> to.contains(".md#")));
    assertEquals("", String.join("\n", links.broken()));
  }

  @Test
  void everyPageThatAMessageOrACommentNamesExists() {
    Map<String, String> files = repository();
    DocumentLinks links = new DocumentLinks(files);
    List<String> found = new ArrayList<>();
    files.forEach((path, text) -> {
      // This file names pages that do not exist.
      if (!path.endsWith(".md") && !path.endsWith("/DocumentLinksTest.java")) {
        found.addAll(links.brokenNames(path, text));
      }
    });

    assertEquals("", String.join("\n", found));
  }

  @Test
  void linksThatLeadSomewhereAreNotReported() {
    assertEquals(
        List.of(),
        broken(
            """
            # Title

            [a file](guide/other.md), [above](../pom.xml), [a directory](guide/), [the root](..),
            [an anchor](guide/other.md#late-records), [the second of two](guide/other.md#late-records-1),
            [code in it](guide/other.md#joblate-and-the-ledger), [here](#title), [from the root](/pom.xml),
            [lines](../api/A.java#L3-L5), ![a picture](plot.svg), [with a title](plot.svg "The plot"),
            [spaces](<with space.md>), [coded](with%20space.md), [![both](plot.svg)](guide/other.md),
            [elsewhere](https://example.org/none.md#none), <https://example.org/none>, [mail](mailto:a@b.c).
            [defined][other], <a id="here"></a><a href="#here">by hand</a>

            [other]: guide/other.md#the-other
            """));
  }

  @Test
  void linksThatLeadNowhereAreReported() {
    assertEquals(
        List.of(
            "docs/a.md:3: none.md: no such file",
            "docs/a.md:3: guide/other.md#none: no heading has this anchor",
            "docs/a.md:4: #none: no heading has this anchor",
            "docs/a.md:4: guide/other.md#late-records-2: no heading has this anchor",
            "docs/a.md:5: ../../x/pom.xml: leads out of the repository",
            "docs/a.md:5: none.svg: no such file",
            "docs/a.md:6: Guide/other.md: no such file",
            "docs/a.md:6: plot.svg#x: only pages have headings",
            "docs/a.md:7: guide#title: only pages have headings",
            "docs/a.md:7: inner.svg: no such file",
            "docs/a.md:7: outer.md: no such file",
            "docs/a.md:8: by-hand.md: no such file",
            "docs/a.md:10: defined.md: no such file"),
        broken(
            """
            # Title

            [no file](none.md) and [no heading](guide/other.md#none),
            [not here](#none), [no third](guide/other.md#late-records-2)
            [outside](../../x/pom.xml) ![no picture](none.svg)
            [another case](Guide/other.md) [of a picture](plot.svg#x)
            [of a directory](guide#title) [![both](inner.svg)](outer.md)
            <a href="by-hand.md">by hand</a>

            [definition]: defined.md
            """));
  }

  @Test
  void codeAndCommentsHaveNeitherLinksNorHeadings() {
    assertEquals(
        List.of(
            "docs/a.md:14: #in-a-fence: no heading has this anchor",
            "docs/a.md:14: #in-a-comment: no heading has this anchor",
            "docs/a.md:16: after.md: no such file"),
        broken(
            """
            ```text
            # In a fence
            [a](none.md)
            ````
            1. - > ~~~
                   ```
                   [a](none.md)
            ```

            <!--
            # In a comment
            [a](none.md) -->
            `[a](none.md)` and ``` `[a](none.md)` ``` and `[a](none.md)
            over two lines` [a](#in-a-fence), [a](#in-a-comment)

            One ` alone does not hide [a](after.md).
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Late records correct results     | late-records-correct-results",
        "What is slow?                    | what-is-slow",
        "Key, headers & timestamp         | key-headers--timestamp",
        "Serdes made for Kafka's clients  | serdes-made-for-kafkas-clients",
        "`withDeletions()` of a *topic*   | withdeletions-of-a-topic",
        "snake_case, `__init__` and _this_| snake_case-__init__-and-this",
        "2.5 GiB – at once                | 25-gib--at-once",
        "Größe der Blöcke                 | größe-der-blöcke",
        "See [the guide](guide/other.md)  | see-the-guide",
        "Exactly-once                     | exactly-once",
      })
  void anAnchorIsTheHeadingAsAForgeWritesIt(String heading, String anchor) {
    assertEquals(anchor, Markdown.anchor(heading));
  }

  @Test
  void aNameOfAPageThatDoesNotExistIsReported() {
    DocumentLinks links =
        new DocumentLinks(Map.of("docs/a.md", "# Title", "docs/guide/other.md", OTHER));
    String text =
        """
        /// See `docs/a.md` and docs/guide/other.md#late-records.
        throw new X("see docs/none.md, and docs/a.md#none");
        // ../docs/none.md is of somewhere else
        """;

    assertEquals(
        List.of(
            "A.java:2: docs/none.md: no such file",
            "A.java:2: docs/a.md#none: no heading has this anchor"),
        links.brokenNames("A.java", text));
  }

  private static List<String> broken(String page) {
    return new DocumentLinks(
            Map.of(
                "docs/a.md", page,
                "docs/guide/other.md", OTHER,
                "docs/with space.md", "",
                "docs/plot.svg", "<svg/>",
                "api/A.java", "",
                "pom.xml", ""))
        .broken();
  }

  private static List<String> targets(DocumentLinks links, String page) {
    return links.pages().get(page).links().stream().map(Markdown.Link::target).toList();
  }

  private static Map<String, String> repository() {
    Reactor reactor = Reactor.find();
    Map<String, String> files = new TreeMap<>();
    for (Path file : SourceTree.files(reactor.root())) {
      files.put(reactor.shown(file), SourceTree.text(file));
    }
    return files;
  }
}
