package dev.millrace.config;

import dev.millrace.spi.settings.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// Reads settings from YAML: nested names and names with dots mean the same, a list is its items
/// with commas between them, and every value is the text it is written as.
final class YamlFile {
  private static final int MAX_DEPTH = 20;
  private static final long MAX_BYTES = 1 << 20;

  private final Path file;
  private final List<Given> found = new ArrayList<>();
  private final Map<String, String> origins = new HashMap<>();

  private YamlFile(Path file) {
    this.file = file;
  }

  /// @throws ConfigException if the file cannot be read, is no YAML, or names something twice
  static List<Given> read(Path file) {
    YamlFile yaml = new YamlFile(file);
    try {
      Optional<Node> root =
          new Compose(LoadSettings.builder().setLabel(file.toString()).build())
              .composeString(text(file));
      root.ifPresent(yaml::visitRoot);
    } catch (MarkedYamlEngineException e) {
      String where = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
      throw new ConfigException("%s%s is no YAML: %s.".formatted(file, where, e.getProblem()));
    } catch (YamlEngineException e) {
      throw new ConfigException("%s is no YAML: %s".formatted(file, e.getMessage()));
    }
    return yaml.found;
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new ConfigException("%s has more than %d bytes.".formatted(file, MAX_BYTES));
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new ConfigException("%s cannot be read: %s".formatted(file, e));
    }
  }

  private void visitRoot(Node root) {
    if (root instanceof MappingNode mapping) {
      visit("", mapping, 0);
    } else if (!isNothing(root)) {
      throw wrong(root, "must be names with values, such as 'commit.interval: 100ms'");
    }
  }

  private void visit(String prefix, MappingNode mapping, int depth) {
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode name)) {
        throw wrong(entry.getKeyNode(), "must be a name");
      }
      String key = prefix + name.getValue();
      switch (entry.getValueNode()) {
        case MappingNode _ when depth >= MAX_DEPTH -> throw wrong(name, "is nested too deep");
        case MappingNode nested -> visit(key + ".", nested, depth + 1);
        case SequenceNode list -> add(key, join(list), name);
        case ScalarNode value when isNothing(value) ->
            throw wrong(name, "'" + key + "' has no value; give one, or remove the line");
        case ScalarNode value -> add(key, value.getValue(), name);
        default -> throw wrong(name, "'" + key + "' has a value that is no text");
      }
    }
  }

  private static boolean isNothing(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  private String join(SequenceNode list) {
    List<String> items = new ArrayList<>();
    for (Node item : list.getValue()) {
      if (!(item instanceof ScalarNode scalar)) {
        throw wrong(item, "must be text");
      }
      items.add(scalar.getValue());
    }
    return String.join(",", items);
  }

  private void add(String key, String text, Node at) {
    String origin = origin(at);
    String before = origins.put(key, origin);
    if (before != null) {
      throw new ConfigException("%s: '%s' is set at %s already.".formatted(origin, key, before));
    }
    found.add(new Given(key, key, text, origin));
  }

  private String origin(Node node) {
    return file + node.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
  }

  private ConfigException wrong(Node node, String what) {
    return new ConfigException("%s: %s.".formatted(origin(node), what));
  }
}
