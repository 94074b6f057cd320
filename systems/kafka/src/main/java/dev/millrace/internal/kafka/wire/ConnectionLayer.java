package dev.millrace.internal.kafka.wire;

import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/// Creates the official connection layer as [ClientUtils] does, except for the memory of answers,
/// and without metrics of each connection, which cost time at each read and are not used.
final class ConnectionLayer {
  private ConnectionLayer() {}

  static KafkaClient open(
      AbstractConfig config,
      int mostRequests,
      MemoryPool memory,
      Metadata metadata,
      Metrics metrics,
      LogContext context) {
    ChannelBuilder channels = ClientUtils.createChannelBuilder(config, Time.SYSTEM, context);
    Selector selector =
        new Selector(
            NetworkReceive.UNLIMITED,
            config.getLong(CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG),
            metrics,
            Time.SYSTEM,
            "millrace",
            Map.of(),
            false,
            false,
            channels,
            memory,
            context);
    return new NetworkClient(
        selector,
        metadata,
        config.getString(CommonClientConfigs.CLIENT_ID_CONFIG),
        mostRequests,
        config.getLong(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG),
        config.getLong(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG),
        config.getInt(CommonClientConfigs.SEND_BUFFER_CONFIG),
        config.getInt(CommonClientConfigs.RECEIVE_BUFFER_CONFIG),
        config.getInt(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG),
        config.getLong(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG),
        config.getLong(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG),
        Time.SYSTEM,
        true,
        new ApiVersions(),
        context,
        config.getLong(CommonClientConfigs.METADATA_RECOVERY_REBOOTSTRAP_TRIGGER_MS_CONFIG),
        MetadataRecoveryStrategy.forName(
            config.getString(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG)));
  }
}
