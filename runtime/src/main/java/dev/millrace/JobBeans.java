package dev.millrace;

import dev.millrace.MetricFamily.Point;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows a job's metrics by JMX: a bean for the job, for each task, for each store and each
/// operator of a task that has metrics of its own, for each commit group, and for each topic that
/// differs from the plan, all below `dev.millrace:application=NAME,container=N`.
final class JobBeans implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobBeans.class);

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final JobMetrics metrics;
  private final String prefix;
  private final Map<ObjectName, MetricsBean> registered = new LinkedHashMap<>();

  JobBeans(JobMetrics metrics, String application, String container) {
    this.metrics = metrics;
    prefix = "dev.millrace:application=" + application + ",container=" + container;
  }

  /// Has a bean for everything that has metrics now, and none for what has none any more, such as a
  /// task that runs elsewhere now.
  void register() {
    Map<String, Map<String, String>> beans = new LinkedHashMap<>();
    Map<Map<String, String>, List<MBeanAttributeInfo>> attributes = new HashMap<>();
    for (MetricFamily family : metrics.families()) {
      for (Point point : family.points()) {
        if (point.labels().containsKey("outcome")) {
          continue; // a part of what an operator has
        }
        attributes.computeIfAbsent(point.labels(), _ -> new ArrayList<>()).add(attribute(family));
        if (point.labels().containsKey("activity")) {
          beans.put(
              ",type=Worker,worker=%s,activity=%s"
                  .formatted(point.labels().get("worker"), point.labels().get("activity")),
              point.labels());
        } else if (point.labels().containsKey("operator") && !point.labels().containsKey("task")) {
          beans.put(
              ",type=Operator,stage=%s,operator=%s"
                  .formatted(
                      point.labels().get("stage"),
                      ObjectName.quote(point.labels().get("operator"))),
              point.labels());
        } else if (point.labels().containsKey("operator")) {
          beans.put(
              ",type=Operator,task=%s,operator=%s"
                  .formatted(point.labels().get("task"), point.labels().get("operator")),
              point.labels());
        } else if (point.labels().containsKey("store")) {
          beans.put(
              ",type=Store,task=%s,store=%s"
                  .formatted(point.labels().get("task"), point.labels().get("store")),
              point.labels());
        } else if (point.labels().containsKey("task")) {
          beans.put(",type=Task,task=" + point.labels().get("task"), point.labels());
        } else if (point.labels().containsKey("group")) {
          beans.put(",type=Group,group=" + point.labels().get("group"), point.labels());
        } else if (point.labels().containsKey("topic")) {
          beans.put(",type=Topic,topic=" + point.labels().get("topic"), point.labels());
        } else if (point.labels().containsKey("share")) {
          beans.put(",type=Memory,share=" + point.labels().get("share"), point.labels());
        } else if (point.labels().isEmpty()) {
          beans.put(",type=Job", point.labels());
        }
      }
    }
    Set<ObjectName> now = new LinkedHashSet<>();
    beans.forEach((suffix, labels) -> {
      ObjectName name = name(suffix);
      now.add(name);
      register(name, labels, attributes.getOrDefault(labels, List.of()));
    });
    for (ObjectName name : List.copyOf(registered.keySet())) {
      if (!now.contains(name)) {
        unregister(name);
        registered.remove(name);
      }
    }
  }

  private ObjectName name(String suffix) {
    try {
      return new ObjectName(prefix + suffix);
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(prefix + suffix, e);
    }
  }

  private static MBeanAttributeInfo attribute(MetricFamily family) {
    return new MBeanAttributeInfo(family.name(), "double", family.help(), true, false, false);
  }

  private void register(
      ObjectName name, Map<String, String> labels, List<MBeanAttributeInfo> attributes) {
    try {
      MetricsBean known = registered.get(name);
      if (known != null) {
        known.attributes(attributes);
        return;
      }
      MetricsBean bean = new MetricsBean(metrics, labels, attributes);
      server.registerMBean(bean, name);
      registered.put(name, bean);
    } catch (InstanceAlreadyExistsException _) {
      LOG.debug("JMX bean {} shows another job of this process.", name);
    } catch (JMException e) {
      LOG.warn("JMX bean {} could not be registered: {}", name, e.toString());
    }
  }

  @Override
  public void close() {
    registered.keySet().forEach(this::unregister);
  }

  private void unregister(ObjectName name) {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException _) {
      LOG.debug("JMX bean {} was removed by other code.", name);
    } catch (JMException e) {
      LOG.warn("JMX bean {} could not be removed: {}", name, e.toString());
    }
  }
}
