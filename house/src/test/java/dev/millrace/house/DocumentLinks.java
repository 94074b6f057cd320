package dev.millrace.house;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks the links between the files of the repository. Links to other places are not checked.
///
/// Paths are from the root of the repository, with `/` between their parts. A link may lead to
/// anything that git knows, so that it works in every clone, and to directories of such files.
final class DocumentLinks {
  private static final Pattern ELSEWHERE = Pattern.compile("^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//).*");
  private static final Pattern LINES = Pattern.compile("L\\d+(?:-L\\d+)?");
  private static final Pattern PAGE =
      Pattern.compile("(?<![\\w/.-])docs/[\\w/-]+\\.md(?:#([\\w-]+))?");

  private final Map<String, Markdown> pages = new TreeMap<>();
  private final Set<String> places = new HashSet<>();

  /// @param files all files, by path; only the text of Markdown pages is looked at
  DocumentLinks(Map<String, String> files) {
    files.forEach((path, text) -> {
      if (path.endsWith(".md")) {
        pages.put(path, Markdown.parse(text));
      }
      for (Path at = Path.of(path); at != null; at = at.getParent()) {
        places.add(shown(at));
      }
    });
    places.add("");
  }

  Map<String, Markdown> pages() {
    return pages;
  }

  /// The links of all pages that lead nowhere, a sentence each.
  List<String> broken() {
    List<String> found = new ArrayList<>();
    pages.forEach((path, page) -> {
      for (Markdown.Link link : page.links()) {
        String objection = objection(path, link.target());
        if (!objection.isEmpty()) {
          found.add("%s:%d: %s: %s".formatted(path, link.line(), link.target(), objection));
        }
      }
    });
    return found;
  }

  /// The names of pages under `docs`, with or without an anchor, in a file that is no page: such as
  /// in a message or a comment. Returns those of pages and headings that do not exist, a sentence
  /// each.
  List<String> brokenNames(String path, String text) {
    List<String> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher name = PAGE.matcher(lines.get(i));
      while (name.find()) {
        String objection = objection("", name.group());
        if (!objection.isEmpty()) {
          found.add("%s:%d: %s: %s".formatted(path, i + 1, name.group(), objection));
        }
      }
    }
    return found;
  }

  private String objection(String from, String target) {
    if (ELSEWHERE.matcher(target).matches()) {
      return "";
    }
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    String place = path.isEmpty() ? from : place(from, path);
    if (place.startsWith("..")) {
      return "leads out of the repository";
    }
    if (!places.contains(place)) {
      return "no such file";
    }
    if (hash < 0) {
      return "";
    }
    String anchor = decoded(target.substring(hash + 1));
    Markdown page = pages.get(place);
    if (page == null) {
      return LINES.matcher(anchor).matches() ? "" : "only pages have headings";
    }
    return page.anchors().contains(anchor) ? "" : "no heading has this anchor";
  }

  private static String place(String from, String target) {
    String path = decoded(target.replaceFirst("\\?.*", ""));
    Path place =
        path.startsWith("/") ? Path.of(path.substring(1)) : Path.of(from).resolveSibling(path);
    return shown(place.normalize());
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String shown(Path path) {
    return path.toString().replace('\\', '/');
  }
}
