package dev.millrace.house;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The links and the headings of a Markdown page, as far as a check of links needs them: code and
/// comments hold neither. Only headings that begin with `#` count.
///
/// @param links in the order of the page
/// @param anchors what a link may name after `#`
record Markdown(List<Link> links, Set<String> anchors) {

  /// @param line of the page, from 1
  /// @param target as it is written
  record Link(int line, String target) {}

  private static final Pattern FENCE = Pattern.compile("^[ >]*(`{3,}|~{3,})(.*)$");
  private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("(?s)(?<!`)(`+)(?!`)(.+?)(?<!`)\\1(?!`)");
  private static final Pattern HEADING =
      Pattern.compile("^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?\\s*$");
  private static final Pattern NAMED = Pattern.compile("<[a-z][^>]*\\s(?:id|name)=\"([^\"]+)\"");

  // The end of [text](target "title"), of [text](<target>), of [name]: target, or an attribute.
  private static final Pattern LINK =
      Pattern.compile(
          "\\]\\(\\s*(?:<([^>\n]*)>|((?:[^\\s()]|\\([^\\s()]*\\))*))(?:\\s+[\"'(][^)]*)?\\s*\\)"
              + "|^ {0,3}\\[[^\\]\n]+\\]:\\s*(\\S+)"
              + "|<[a-z][^>]*\\s(?:href|src)=\"([^\"]*)\"",
          Pattern.MULTILINE);

  static Markdown parse(String page) {
    String text = blank(COMMENT, withoutFences(page));
    return new Markdown(links(withoutCode(text)), anchors(text));
  }

  /// The anchor that a forge makes of a heading, before it numbers equal ones.
  static String anchor(String heading) {
    String text = heading.replaceAll("!\\[[^\\]]*\\]\\([^)]*\\)", "");
    text = text.replaceAll("\\[([^\\]]*)\\](?:\\([^)]*\\)|\\[[^\\]]*\\])", "$1");
    StringBuilder words = new StringBuilder();
    Matcher code = CODE.matcher(text);
    int from = 0;
    while (code.find()) {
      words.append(withoutMarks(text.substring(from, code.start()))).append(code.group(2));
      from = code.end();
    }
    words.append(withoutMarks(text.substring(from)));
    return words
        .toString()
        .strip()
        .toLowerCase(Locale.ROOT)
        .replace(' ', '-')
        .replaceAll("[^\\p{IsAlphabetic}\\p{M}\\p{Nd}\\p{Pc}-]", "");
  }

  /// Without tags, and without underscores that emphasize; those within a word stay.
  private static String withoutMarks(String text) {
    return text.replaceAll("<[^>]*>", "")
        .replaceAll("&[a-z]+;", "")
        .replaceAll("(?<![\\p{IsAlphabetic}\\p{Nd}])_+|_+(?![\\p{IsAlphabetic}\\p{Nd}])", "");
  }

  private static List<Link> links(String text) {
    List<Link> found = new ArrayList<>();
    Matcher matcher = LINK.matcher(text);
    int line = 1;
    int counted = 0;
    while (matcher.find()) {
      for (; counted < matcher.start(); counted++) {
        line += text.charAt(counted) == '\n' ? 1 : 0;
      }
      for (int group = 1; group <= matcher.groupCount(); group++) {
        if (matcher.group(group) != null) {
          found.add(new Link(line, matcher.group(group)));
        }
      }
    }
    return found;
  }

  private static Set<String> anchors(String text) {
    Set<String> anchors = new LinkedHashSet<>();
    Set<String> taken = new HashSet<>();
    for (String line : text.split("\n", -1)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String first = anchor(heading.group(1));
        String anchor = first;
        for (int i = 1; !taken.add(anchor); i++) {
          anchor = first + "-" + i;
        }
        anchors.add(anchor);
      }
    }
    Matcher named = NAMED.matcher(withoutCode(text));
    while (named.find()) {
      anchors.add(named.group(1));
    }
    return anchors;
  }

  /// The page with empty lines in place of fenced code.
  private static String withoutFences(String page) {
    StringBuilder text = new StringBuilder();
    String fence = "";
    for (String line : page.split("\n", -1)) {
      Matcher matcher = FENCE.matcher(line);
      boolean marks = matcher.matches();
      if (fence.isEmpty()) {
        // Code within a line may begin with three backquotes, too, but ends on that line.
        if (marks && matcher.group(2).indexOf(matcher.group(1).charAt(0)) < 0) {
          fence = matcher.group(1);
        } else {
          text.append(line);
        }
      } else if (marks && matcher.group(1).startsWith(fence) && matcher.group(2).isBlank()) {
        fence = "";
      }
      text.append('\n');
    }
    return text.toString();
  }

  /// Without code within lines, which ends in the paragraph in which it begins. A backquote that
  /// has no partner there is a plain character.
  private static String withoutCode(String text) {
    StringBuilder left = new StringBuilder();
    for (String paragraph : text.split("(?<=\n)(?=[ \t]*\n)")) {
      left.append(blank(CODE, paragraph));
    }
    return left.toString();
  }

  /// Replaces what is found by spaces, and leaves the ends of lines.
  private static String blank(Pattern pattern, String text) {
    return pattern.matcher(text).replaceAll(found -> found.group().replaceAll("[^\n]", " "));
  }
}
