package dev.millrace.internal.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A base of kustomize: each object in a file of its own, and `kustomization.yaml`, which lists
/// them. Overlays change what differs from one environment to another.
public final class Base {
  private Base() {}

  /// Returns the text of each file by its name, in the order of the objects. There is one object of
  /// each kind.
  public static Map<String, String> files(List<Map<String, Object>> objects) {
    Map<String, String> files = new LinkedHashMap<>();
    for (Map<String, Object> each : objects) {
      files.put(name(String.valueOf(each.get("kind"))), Yaml.of(List.of(each)));
    }
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("apiVersion", "kustomize.config.k8s.io/v1beta1");
    list.put("kind", "Kustomization");
    list.put("resources", new ArrayList<>(files.keySet()));
    files.put("kustomization.yaml", Yaml.of(List.of(list)));
    return files;
  }

  /// The name of the file of a kind, such as `stateful-set.yaml`.
  private static String name(String kind) {
    return kind.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT) + ".yaml";
  }
}
