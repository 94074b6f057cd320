package dev.millrace.internal.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The objects of an application on Kubernetes, each as a map in the order in which it is read.
///
/// Each process is a pod of a stateful set, and its volume is the home of its state: so a pod that
/// comes back, on whatever node, has the tasks again whose state it has.
public final class Manifest {
  /// Where a process finds its settings and its state.
  static final String SETTINGS = "/etc/millrace";

  static final String STATE = "/var/lib/millrace";

  private static final int HTTP = 8080;
  private static final long USER = 10_001;

  /// What a pod has besides the time in which its process stops in order.
  private static final Duration SPARE = Duration.ofSeconds(15);

  private static final String APPS = "apps/v1";

  private final Wanted wanted;

  /// @throws IllegalArgumentException if something cannot work
  public Manifest(Wanted wanted) {
    List<String> problems = wanted.problems();
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
    this.wanted = wanted;
  }

  /// Returns all objects, in an order in which they can be created.
  public List<Map<String, Object>> objects() {
    List<Map<String, Object>> all = new ArrayList<>();
    all.add(serviceAccount());
    all.add(settings());
    all.add(service());
    all.add(disruptionBudget());
    all.add(statefulSet());
    if (wanted.scaling().isWanted()) {
      all.add(autoscaler());
    }
    if (wanted.monitored()) {
      all.add(monitor());
    }
    return all;
  }

  private Map<String, Object> object(String version, String kind) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", version);
    object.put("kind", kind);
    object.put("metadata", map("name", wanted.name(), "labels", labels()));
    return object;
  }

  private Map<String, Object> labels() {
    return map("app.kubernetes.io/name", wanted.name(), "app.kubernetes.io/managed-by", "millrace");
  }

  private Map<String, Object> selected() {
    return map("app.kubernetes.io/name", wanted.name());
  }

  /// It may do nothing: a process asks Kubernetes for nothing.
  private Map<String, Object> serviceAccount() {
    Map<String, Object> account = object("v1", "ServiceAccount");
    account.put("automountServiceAccountToken", false);
    return account;
  }

  private Map<String, Object> settings() {
    StringBuilder text = new StringBuilder();
    Map<String, String> all = new TreeMap<>(wanted.settings());
    all.put("state.directory", STATE);
    all.put("http.port", Integer.toString(HTTP));
    all.put("http.host", "0.0.0.0");
    all.put("stop.timeout", wanted.stop().toSeconds() + "s");
    all.forEach((key, value) ->
        text.append(key).append(": '").append(value.replace("'", "''")).append("'\n"));
    Map<String, Object> settings = object("v1", "ConfigMap");
    settings.put("data", map("millrace.yaml", text.toString()));
    return settings;
  }

  /// Headless: it gives each pod a name that stays.
  private Map<String, Object> service() {
    Map<String, Object> service = object("v1", "Service");
    service.put(
        "spec",
        map(
            "clusterIP",
            "None",
            "publishNotReadyAddresses",
            true,
            "selector",
            selected(),
            "ports",
            List.of(map("name", "http", "port", HTTP, "targetPort", "http"))));
    return service;
  }

  private Map<String, Object> disruptionBudget() {
    Map<String, Object> budget = object("policy/v1", "PodDisruptionBudget");
    budget.put("spec", map("maxUnavailable", 1, "selector", map("matchLabels", selected())));
    return budget;
  }

  private Map<String, Object> statefulSet() {
    Map<String, Object> set = object(APPS, "StatefulSet");
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("serviceName", wanted.name());
    if (!wanted.scaling().isWanted()) {
      spec.put("replicas", wanted.replicas());
    }
    // Processes do not wait for one another, neither at a start nor at an end.
    spec.put("podManagementPolicy", "Parallel");
    spec.put("updateStrategy", map("type", "RollingUpdate"));
    spec.put("selector", map("matchLabels", selected()));
    spec.put("template", map("metadata", map("labels", labels()), "spec", pod()));
    spec.put("volumeClaimTemplates", List.of(volume()));
    set.put("spec", spec);
    return set;
  }

  private Map<String, Object> pod() {
    Map<String, Object> pod = new LinkedHashMap<>();
    pod.put("serviceAccountName", wanted.name());
    pod.put("automountServiceAccountToken", false);
    pod.put("terminationGracePeriodSeconds", wanted.stop().plus(SPARE).toSeconds());
    pod.put(
        "securityContext",
        map(
            "runAsNonRoot",
            true,
            "runAsUser",
            USER,
            "runAsGroup",
            USER,
            "fsGroup",
            USER,
            "fsGroupChangePolicy",
            "OnRootMismatch",
            "seccompProfile",
            map("type", "RuntimeDefault")));
    pod.put("topologySpreadConstraints", List.of(spread("kubernetes.io/hostname")));
    pod.put("containers", List.of(container()));
    pod.put(
        "volumes",
        List.of(
            map("name", "settings", "configMap", map("name", wanted.name())),
            map("name", "tmp", "emptyDir", map())));
    return pod;
  }

  private Map<String, Object> spread(String key) {
    return map(
        "maxSkew",
        1,
        "topologyKey",
        key,
        "whenUnsatisfiable",
        "ScheduleAnyway",
        "labelSelector",
        map("matchLabels", selected()));
  }

  private Map<String, Object> container() {
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("name", "millrace");
    container.put("image", wanted.image());
    container.put("args", List.of("--config=" + SETTINGS + "/millrace.yaml"));
    container.put("ports", List.of(map("name", "http", "containerPort", HTTP)));
    List<Map<String, Object>> environment = environment();
    if (!environment.isEmpty()) {
      container.put("env", environment);
    }
    container.put(
        "resources",
        map(
            "requests", map("cpu", wanted.cpu(), "memory", wanted.memory()),
            "limits", map("memory", wanted.memory())));
    // A start that restores state takes as long as it takes.
    container.put("startupProbe", probe("/live", 2, 60));
    container.put("livenessProbe", probe("/live", 10, 6));
    container.put("readinessProbe", probe("/ready", 2, 1));
    container.put(
        "securityContext",
        map(
            "allowPrivilegeEscalation", false,
            "readOnlyRootFilesystem", true,
            "capabilities", map("drop", List.of("ALL"))));
    container.put(
        "volumeMounts",
        List.of(
            map("name", "settings", "mountPath", SETTINGS, "readOnly", true),
            map("name", "state", "mountPath", STATE),
            map("name", "tmp", "mountPath", "/tmp")));
    return container;
  }

  private List<Map<String, Object>> environment() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Wanted.Secret each : wanted.secrets()) {
      all.add(
          map(
              "name",
              variable(each.setting()),
              "valueFrom",
              map("secretKeyRef", map("name", each.secret(), "key", each.key()))));
    }
    return all;
  }

  /// The variable by which a setting is given.
  static String variable(String setting) {
    return "MILLRACE_" + setting.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  private static Map<String, Object> probe(String path, int period, int failures) {
    return map(
        "httpGet",
        map("path", path, "port", "http"),
        "periodSeconds",
        period,
        "timeoutSeconds",
        5,
        "failureThreshold",
        failures);
  }

  private Map<String, Object> volume() {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("accessModes", List.of("ReadWriteOnce"));
    if (!wanted.storageClass().isEmpty()) {
      spec.put("storageClassName", wanted.storageClass());
    }
    spec.put("resources", map("requests", map("storage", wanted.storage())));
    return map("metadata", map("name", "state"), "spec", spec);
  }

  /// By a metric that an adapter for Prometheus serves.
  private Map<String, Object> autoscaler() {
    Map<String, Object> scaler = object("autoscaling/v2", "HorizontalPodAutoscaler");
    Wanted.Scaling scaling = wanted.scaling();
    scaler.put(
        "spec",
        map(
            "scaleTargetRef",
            map("apiVersion", APPS, "kind", "StatefulSet", "name", wanted.name()),
            "minReplicas",
            scaling.least(),
            "maxReplicas",
            scaling.most(),
            "metrics",
            List.of(
                map(
                    "type",
                    "Pods",
                    "pods",
                    map(
                        "metric",
                        map("name", "millrace_lag_records"),
                        "target",
                        map(
                            "type",
                            "AverageValue",
                            "averageValue",
                            Long.toString(scaling.lag()))))),
            "behavior",
            map(
                "scaleUp", map("stabilizationWindowSeconds", 60),
                "scaleDown", map("stabilizationWindowSeconds", 600))));
    return scaler;
  }

  private Map<String, Object> monitor() {
    Map<String, Object> monitor = object("monitoring.coreos.com/v1", "ServiceMonitor");
    Map<String, Object> endpoint = map("port", "http", "path", "/metrics");
    for (Wanted.Secret each : wanted.secrets()) {
      if (each.setting().equals("http.token")) {
        endpoint.put(
            "authorization", map("credentials", map("name", each.secret(), "key", each.key())));
      }
    }
    monitor.put(
        "spec", map("selector", map("matchLabels", selected()), "endpoints", List.of(endpoint)));
    return monitor;
  }

  private static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
