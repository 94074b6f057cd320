package dev.millrace.internal.yarn.master;

import dev.millrace.internal.yarn.job.JobFile;
import dev.millrace.internal.yarn.job.JobSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.async.NMClientAsync;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts processes in containers, by the node managers, which answer later. For one thread.
final class Launcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);

  private final JobSpec job;
  private final MasterLogin login;
  private final ConcurrentLinkedQueue<ContainerId> notStarted = new ConcurrentLinkedQueue<>();
  private final NMClientAsync nodes = NMClientAsync.createNMClientAsync(new Answers());

  Launcher(JobSpec job, MasterLogin login, Configuration config) {
    this.job = job;
    this.login = login;
    // Else it would stop all containers at the end of this master, which may be followed by
    // another.
    nodes.getClient().cleanupRunningContainersOnStop(false);
    nodes.init(config);
    nodes.start();
  }

  /// Starts a process in a container.
  void start(Container container) throws IOException, InterruptedException {
    Map<String, LocalResource> files = new HashMap<>();
    for (JobFile file : job.files()) {
      files.put(file.link(), file.resource());
    }
    nodes.startContainerAsync(
        container,
        ContainerLaunchContext.newInstance(
            files,
            new HashMap<>(job.environment()),
            List.of(job.command()),
            null,
            login.tokens(),
            null));
  }

  /// Finds out whether a process was ever started in a container that a former master got.
  void check(Container container) {
    nodes.getContainerStatusAsync(container.getId(), container.getNodeId());
  }

  /// Returns the containers in which no process could be started, once each.
  List<ContainerId> notStarted() {
    List<ContainerId> all = new ArrayList<>();
    for (ContainerId each = notStarted.poll(); each != null; each = notStarted.poll()) {
      all.add(each);
    }
    return all;
  }

  @Override
  public void close() {
    nodes.stop();
  }

  @SuppressWarnings("deprecation") // an abstract method is to be implemented although it is
  private final class Answers extends NMClientAsync.AbstractCallbackHandler {
    @Override
    public void onContainerStarted(ContainerId container, Map<String, ByteBuffer> services) {
      LOG.info("A process was started in {}.", container);
    }

    @Override
    public void onStartContainerError(ContainerId container, Throwable why) {
      LOG.warn("No process could be started in {}: {}", container, why.toString());
      notStarted.add(container);
    }

    @Override
    public void onContainerStatusReceived(ContainerId container, ContainerStatus status) {}

    @Override
    public void onContainerStopped(ContainerId container) {}

    @Override
    public void onContainerResourceIncreased(ContainerId container, Resource resource) {}

    @Override
    public void onContainerResourceUpdated(ContainerId container, Resource resource) {}

    @Override
    public void onGetContainerStatusError(ContainerId container, Throwable why) {
      if (why instanceof YarnException) { // the node answers, and does not know it
        LOG.warn("No process was started in {}: {}", container, why.toString());
        notStarted.add(container);
      }
    }

    @Override
    public void onIncreaseContainerResourceError(ContainerId container, Throwable why) {}

    @Override
    public void onUpdateContainerResourceError(ContainerId container, Throwable why) {}

    @Override
    public void onStopContainerError(ContainerId container, Throwable why) {}
  }
}
