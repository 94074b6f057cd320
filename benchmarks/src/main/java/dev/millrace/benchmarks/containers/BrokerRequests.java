package dev.millrace.benchmarks.containers;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// How many requests a broker has got, by its own count.
final class BrokerRequests implements AutoCloseable {
  /// A fetch is counted as one, and again by who asks; and the broker tells its own controller that
  /// it lives.
  private static final Set<String> PASSED_OVER =
      Set.of("FetchConsumer", "FetchFollower", "BrokerHeartbeat");

  private final JMXConnector connector;
  private final ObjectName all;

  private BrokerRequests(JMXConnector connector, ObjectName all) {
    this.connector = connector;
    this.all = all;
  }

  /// @param pid of the broker
  @SuppressWarnings("BanJNDI") // what answers is a process that this one has started
  static BrokerRequests of(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return new BrokerRequests(
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())),
            new ObjectName("kafka.network:type=RequestMetrics,name=RequestsPerSec,*"));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | JMException e) {
      throw new IOException("The broker's metrics cannot be read.", e);
    }
  }

  /// Returns how many requests of any kind it has got so far.
  long count() throws IOException {
    MBeanServerConnection connection = connector.getMBeanServerConnection();
    long count = 0;
    try {
      for (ObjectName each : connection.queryNames(all, null)) {
        if (!PASSED_OVER.contains(each.getKeyProperty("request"))) {
          count += (Long) connection.getAttribute(each, "Count");
        }
      }
    } catch (JMException e) {
      throw new IOException("The broker's metrics cannot be read.", e);
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
