package dev.millrace.internal.kafka.wire;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.ClusterResourceListeners;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.utils.LogContext;

/// What a client knows of the cluster: its brokers, and the leaders of the topics that it asked
/// for. The connection layer keeps it up to date.
final class WireMetadata extends Metadata {
  private final Set<String> topics = new TreeSet<>();

  WireMetadata(long backoffMillis, long mostBackoffMillis, long holdsMillis, LogContext context) {
    super(backoffMillis, mostBackoffMillis, holdsMillis, context, new ClusterResourceListeners());
  }

  /// From now on the topic is asked for.
  synchronized void want(String topic) {
    if (topics.add(topic)) {
      requestUpdateForNewTopics();
    }
  }

  synchronized Set<String> wanted() {
    return Set.copyOf(topics);
  }

  synchronized void forget(String topic) {
    topics.remove(topic);
  }

  /// Throws what nothing but a person can mend: that the cluster does not let this client in.
  void throwFatal() {
    maybeThrowFatalException();
  }

  @Override
  protected synchronized MetadataRequest.Builder newMetadataRequestBuilder() {
    return MetadataRequest.Builder.forTopicNames(List.copyOf(topics), false);
  }

  @Override
  protected synchronized boolean retainTopic(
      String topic, Uuid topicId, boolean isInternal, long nowMillis) {
    return topics.contains(topic);
  }
}
