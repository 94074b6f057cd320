package dev.millrace;

import dev.millrace.MetricFamily.Point;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/// The metrics that have certain labels, as read-only attributes named like the metrics.
final class MetricsBean implements DynamicMBean {
  private final JobMetrics metrics;
  private final Map<String, String> labels;
  private volatile List<MBeanAttributeInfo> attributes;

  MetricsBean(JobMetrics metrics, Map<String, String> labels, List<MBeanAttributeInfo> attributes) {
    this.metrics = metrics;
    this.labels = labels;
    this.attributes = attributes;
  }

  /// Sets which metrics there are. A look at all metrics for each bean would cost the square of
  /// their number, as a server asks each bean that is registered.
  void attributes(List<MBeanAttributeInfo> now) {
    attributes = now;
  }

  private Optional<Double> value(MetricFamily family) {
    return family.points().stream()
        .filter(point -> point.labels().equals(labels))
        .map(Point::value)
        .findFirst();
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    return metrics.families().stream()
        .filter(family -> family.name().equals(name))
        .findFirst()
        .flatMap(this::value)
        .orElseThrow(() -> new AttributeNotFoundException(name));
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList found = new AttributeList();
    for (MetricFamily family : metrics.families()) {
      for (String name : names) {
        if (family.name().equals(name)) {
          value(family).ifPresent(value -> found.add(new Attribute(name, value)));
        }
      }
    }
    return found;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return new MBeanInfo(
        MetricsBean.class.getName(),
        "Metrics of a Millrace job",
        attributes.toArray(MBeanAttributeInfo[]::new),
        null,
        null,
        null);
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " can only be read");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public @Nullable Object invoke(
      String action, Object @Nullable [] parameters, String @Nullable [] signature)
      throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(action));
  }
}
