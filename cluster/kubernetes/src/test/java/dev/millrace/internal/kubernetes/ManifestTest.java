package dev.millrace.internal.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ManifestTest {
  private static final Wanted.Secret TOKEN = new Wanted.Secret("http.token", "access", "token");

  private static Wanted wanted(String name, Wanted.Scaling scaling, boolean monitored) {
    return new Wanted(
        name,
        "counting:1",
        4,
        "10Gi",
        "fast",
        "500m",
        "2Gi",
        new TreeMap<>(Map.of("kafka.bootstrap.servers", "kafka:9092", "placement.rack", "it's")),
        List.of(TOKEN),
        Duration.ofSeconds(30),
        scaling,
        monitored);
  }

  /// What a reader of the YAML finds.
  private static Map<String, Object> read(Wanted wanted) {
    Map<String, Object> byKind = new TreeMap<>();
    String text = Yaml.of(new Manifest(wanted).objects());
    for (Object each : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
      byKind.put(text(each, "kind"), each);
      assertEquals(wanted.name(), text(each, "metadata", "name"));
    }
    return byKind;
  }

  /// Follows names, and numbers of lists, from an object.
  private static Object at(Object from, Object... path) {
    Object found = from;
    for (Object each : path) {
      found =
          each instanceof Integer index
              ? ((List<?>) found).get(index)
              : Objects.requireNonNull(
                  ((Map<?, ?>) found).get(each), () -> each + " of " + Arrays.toString(path));
    }
    return found;
  }

  private static String text(Object from, Object... path) {
    return at(from, path).toString();
  }

  @Test
  void aVolumeOfEachPodIsTheHomeOfItsState() {
    Object set = at(read(wanted("counting", Wanted.Scaling.NONE, false)), "StatefulSet");
    assertEquals("4", text(set, "spec", "replicas"));
    assertEquals("Parallel", text(set, "spec", "podManagementPolicy"));
    assertEquals("counting", text(set, "spec", "serviceName"));
    Object volume = at(set, "spec", "volumeClaimTemplates", 0);
    assertEquals("fast", text(volume, "spec", "storageClassName"));
    assertEquals("10Gi", text(volume, "spec", "resources", "requests", "storage"));
    Object container = at(set, "spec", "template", "spec", "containers", 0);
    assertEquals(text(volume, "metadata", "name"), text(container, "volumeMounts", 1, "name"));
    assertEquals(Manifest.STATE, text(container, "volumeMounts", 1, "mountPath"));
  }

  @Test
  void aPodMayStopForLongerThanItsProcess() {
    Object set = at(read(wanted("counting", Wanted.Scaling.NONE, false)), "StatefulSet");
    assertEquals("45", text(set, "spec", "template", "spec", "terminationGracePeriodSeconds"));
  }

  @Test
  void settingsAreReadAsTheyWereGivenAndSecretsAreNotAmongThem() {
    Map<String, Object> all = read(wanted("counting", Wanted.Scaling.NONE, false));
    Object settings =
        new Load(LoadSettings.builder().build())
            .loadFromString(text(all, "ConfigMap", "data", "millrace.yaml"));
    assertEquals("kafka:9092", text(settings, "kafka.bootstrap.servers"));
    assertEquals("it's", text(settings, "placement.rack"));
    assertEquals(Manifest.STATE, text(settings, "state.directory"));
    assertEquals("30s", text(settings, "stop.timeout"));
    assertFalse(((Map<?, ?>) settings).containsKey("http.token"));
    Object variable = at(all, "StatefulSet", "spec", "template", "spec", "containers", 0, "env", 0);
    assertEquals("MILLRACE_HTTP_TOKEN", text(variable, "name"));
    assertEquals("access", text(variable, "valueFrom", "secretKeyRef", "name"));
    assertEquals("token", text(variable, "valueFrom", "secretKeyRef", "key"));
  }

  @Test
  void aProcessMayAskKubernetesForNothing() {
    Map<String, Object> all = read(wanted("counting", Wanted.Scaling.NONE, false));
    assertEquals("false", text(all, "ServiceAccount", "automountServiceAccountToken"));
    Object pod = at(all, "StatefulSet", "spec", "template", "spec");
    assertEquals("counting", text(pod, "serviceAccountName"));
    assertEquals("false", text(pod, "automountServiceAccountToken"));
    assertEquals("true", text(pod, "securityContext", "runAsNonRoot"));
  }

  @Test
  void theLagScalesItIfThatIsWanted() {
    Map<String, Object> all = read(wanted("counting", new Wanted.Scaling(2, 8, 5_000), true));
    Object set = at(all, "StatefulSet", "spec");
    assertFalse(((Map<?, ?>) set).containsKey("replicas"), "The autoscaler says how many.");
    Object scaler = at(all, "HorizontalPodAutoscaler", "spec");
    assertEquals("StatefulSet", text(scaler, "scaleTargetRef", "kind"));
    assertEquals("2", text(scaler, "minReplicas"));
    assertEquals("8", text(scaler, "maxReplicas"));
    assertEquals("5000", text(scaler, "metrics", 0, "pods", "target", "averageValue"));
    assertEquals(
        "access",
        text(
            all, "ServiceMonitor", "spec", "endpoints", 0, "authorization", "credentials", "name"));
  }

  @Test
  void whatCannotWorkIsSaidAtOnce() {
    Wanted wrong =
        new Wanted(
            "Counting",
            "",
            0,
            "many",
            "",
            "1",
            "2Gi",
            new TreeMap<>(),
            List.of(),
            Duration.ofSeconds(30),
            new Wanted.Scaling(3, 2, 1),
            false);
    String said =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> new Manifest(wrong)).getMessage());
    List<String> missing =
        new ArrayList<>(List.of("'Counting'", "no image", "not 0", "'many'", "3 and 2"));
    missing.removeIf(said::contains);
    assertTrue(missing.isEmpty(), missing + " of " + said);
  }
}
