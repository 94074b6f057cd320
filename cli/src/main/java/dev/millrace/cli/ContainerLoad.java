package dev.millrace.cli;

import dev.millrace.config.KafkaConfig;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Census.Said;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.spi.Clock;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How busy the processes of an application are, as they say of themselves. Waits for Kafka; used
/// by one thread.
final class ContainerLoad implements AutoCloseable {
  private final String application;
  private final KafkaConfig kafka;
  private @Nullable Cluster cluster;
  private @Nullable Census census;
  private SortedMap<String, Said> last = new TreeMap<>();

  /// What all processes say together.
  ///
  /// @param running how many say that they live
  /// @param busyWorkers how many workers their tasks keep busy
  /// @param workers how many workers they have
  record Load(int running, double busyWorkers, double workers) {}

  ContainerLoad(String application, KafkaConfig kafka) {
    this.application = application;
    this.kafka = kafka;
  }

  /// Returns what they say now; null if none says anything yet. It takes up to three seconds.
  @Nullable Load look() {
    if (census == null) {
      Cluster connected = Cluster.connect(kafka.bootstrap(), kafka.properties());
      cluster = connected;
      String storage = connected.called(application).storage();
      census = new Census(storage, connected.log(), Clock.system(), Cluster::pause);
      last = census.last();
    }
    last = census.living(last);
    if (last.isEmpty()) {
      last = census.last(); // the first ones may have come meanwhile
      return null;
    }
    return load(last);
  }

  private static Load load(SortedMap<String, Said> living) {
    double busy = 0;
    double workers = 0;
    for (Said said : living.values()) {
      workers += said.sign().self().capacity();
      for (Report report : said.sign().reports()) {
        if (report.state().isHeld()) {
          busy += Math.max(0, report.busy());
        }
      }
    }
    return new Load(living.size(), busy, workers);
  }

  @Override
  public void close() {
    if (cluster != null) {
      cluster.close();
    }
  }
}
