package dev.millrace.kafka.embedded;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/// The parts of Kafka that make a node of both roles, put together as Kafka's own server does it,
/// but with our sockets and with failures that do not halt the process. Started and stopped on
/// threads of its group.
final class Broker {
  private static final Duration CONTROLLED_SHUTDOWN = Duration.ofSeconds(10);
  private static final Duration ELECTION = Duration.ofSeconds(30);
  private static final long ELECTION_POLL_MILLIS = 10;

  private final BrokerThreads threads;
  private final Metrics metrics;
  private final boolean afterCrash;
  private final ControllerServer controller;
  private final BrokerServer broker;

  /// Reads the formatted directory; starts nothing.
  ///
  /// @param afterCrash whether the last broker on this directory was not stopped but killed
  Broker(
      Map<String, String> settings,
      LoopbackSockets sockets,
      BrokerThreads threads,
      boolean afterCrash) {
    this.threads = threads;
    this.afterCrash = afterCrash;
    var config = new KafkaConfig(settings, false);
    Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> directories =
        KafkaRaftServer.initializeLogDirs(config, LoggerFactory.getLogger(Broker.class), "");
    MetaPropertiesEnsemble properties = directories._1();
    metrics = Server.initializeMetrics(config, Time.SYSTEM, properties.clusterId().orElseThrow());
    var voter = new InetSocketAddress(LoopbackSockets.ADDRESS, sockets.controllerPort());
    var shared =
        new SharedServer(
            config,
            properties,
            Time.SYSTEM,
            metrics,
            CompletableFuture.completedFuture(Map.of(BrokerSettings.NODE_ID, voter)),
            List.of(),
            threads::faultHandler,
            sockets);
    controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2());
    broker = new BrokerServer(shared);
  }

  /// Returns when clients can connect. After an exception, [#stop] must still be called.
  void start() throws InterruptedException, ExecutionException, TimeoutException {
    BrokerMetrics.retain();
    controller.startup();
    if (afterCrash) {
      forgetKilledBroker();
    }
    broker.startup();
  }

  /// A killed broker is still registered, and the controller would make its successor wait until
  /// the session has expired, nine seconds, in case both were alive. The directory's lock proves
  /// that the old one is not, so its registration is removed.
  private void forgetKilledBroker()
      throws InterruptedException, ExecutionException, TimeoutException {
    var context =
        new ControllerRequestContext(
            new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty());
    long deadline = System.nanoTime() + ELECTION.toNanos();
    while (true) {
      try {
        controller
            .controller()
            .unregisterBroker(context, BrokerSettings.NODE_ID)
            .get(ELECTION.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof BrokerIdNotRegisteredException) {
          return; // killed before it was registered
        }
        if (!(e.getCause() instanceof NotControllerException) || System.nanoTime() > deadline) {
          throw e;
        }
      }
      Thread.sleep(ELECTION_POLL_MILLIS);
    }
  }

  /// Stops what was started.
  void stop() {
    // A failed node has no controller that could agree to a shutdown.
    Duration patience = threads.failure().isPresent() ? Duration.ZERO : CONTROLLED_SHUTDOWN;
    try (metrics) {
      try {
        broker.shutdown(patience);
      } finally {
        controller.shutdown();
      }
    } finally {
      BrokerMetrics.release();
    }
  }
}
