package dev.millrace.internal.yarn.master;

import dev.millrace.internal.yarn.fleet.Fleet;
import dev.millrace.internal.yarn.fleet.Order;
import dev.millrace.internal.yarn.job.JobSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the processes of an application running in containers of YARN, until they have ended or
/// are to stop. It takes no part in what they do: which of them has which task they decide among
/// themselves, so nothing stands still while there is no master.
///
/// One thread does everything, a turn every half second: it hears what has become of containers,
/// has [Fleet] decide, writes that down, and only then starts processes, so that the next master
/// knows of all of them.
final class Master implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Master.class);
  private static final Duration TURN = Duration.ofMillis(500);
  private static final Duration LOOK = Duration.ofSeconds(3);

  /// YARN refuses to ask strictly and otherwise at the same priority.
  private static final Priority STRICT = Priority.newInstance(1);

  private static final Priority ANYWHERE = Priority.newInstance(2);

  private final JobSpec job;
  private final MasterFiles files;
  private final Configuration config;
  private final Launcher launcher;
  private final Fleet fleet;
  private final AMRMClient<ContainerRequest> yarn = AMRMClient.createAMRMClient();
  private final Map<Long, ContainerRequest> asked = new HashMap<>();
  private @Nullable MasterPage page;
  private long lookedMillis;
  private String lastWords = "";

  Master(JobSpec job, MasterFiles files, MasterLogin login, Configuration config)
      throws IOException {
    this.job = job;
    this.files = files;
    this.config = config;
    List<String> homes = job.everyHost() ? job.hosts() : files.formerHomes();
    fleet = new Fleet(job.policy(), job.count(), homes, job.hosts());
    fleet.restore(files.formerFleet(), nowMillis());
    launcher = new Launcher(job, login, config);
    yarn.init(config);
    yarn.start();
  }

  /// Runs until the application has ended.
  ///
  /// @param host of this master
  void run(String host) throws YarnException, IOException, InterruptedException {
    MasterPage served = new MasterPage(job.name(), host);
    page = served;
    served.start(MasterPage.proxies(config));
    RegisterApplicationMasterResponse registered =
        yarn.registerApplicationMaster(host, served.port(), served.url());
    registered.getContainersFromPreviousAttempts().forEach(this::adopt);
    Resource most = registered.getMaximumResourceCapability();
    if (job.memoryMegabytes() > most.getMemorySize() || job.cores() > most.getVirtualCores()) {
      end(
          FinalApplicationStatus.FAILED,
          "A container of %d MB and %d cores is more than this cluster gives, which is %d MB and %d cores. Ask for less with --memory and --cores."
              .formatted(
                  job.memoryMegabytes(),
                  job.cores(),
                  most.getMemorySize(),
                  most.getVirtualCores()));
      return;
    }
    while (true) {
      turn();
      Integer status = fleet.status();
      if (status != null) {
        end(status);
        return;
      }
      served.show(fleet.said(), lastWords);
      Thread.sleep(TURN);
    }
  }

  private void turn() throws YarnException, IOException, InterruptedException {
    long now = nowMillis();
    AllocateResponse said = yarn.allocate(0);
    said.getContainersFromPreviousAttempts().forEach(this::adopt);
    said.getUpdatedNodes().forEach(this::hear);
    for (ContainerStatus each : said.getCompletedContainersStatuses()) {
      ended(each, now);
    }
    launcher
        .notStarted()
        .forEach(container -> {
          yarn.releaseAssignedContainer(container);
          fleet.ended(container.toString(), -1000, now);
        });
    List<Container> toStart = new ArrayList<>();
    for (Container each : said.getAllocatedContainers()) {
      if (isTaken(each, now)) {
        toStart.add(each);
      } else {
        yarn.releaseAssignedContainer(each.getId());
      }
    }
    if (now - lookedMillis >= LOOK.toMillis()) {
      lookedMillis = now;
      if (files.isToStop()) {
        fleet.stop();
      }
    }
    fleet.step(now).forEach(this::obey);
    files.save(fleet);
    for (Container each : toStart) {
      launcher.start(each);
    }
  }

  private void adopt(Container container) {
    String id = container.getId().toString();
    String host = container.getNodeId().getHost();
    if (fleet.adopted(id, host, nowMillis())) {
      LOG.info("{} on {} goes on.", id, host);
      launcher.check(container);
    } else {
      LOG.info("{} on {} is of no process, and is given back.", id, host);
      yarn.releaseAssignedContainer(container.getId());
    }
  }

  private boolean isTaken(Container container, long nowMillis) {
    long ask = container.getAllocationRequestId();
    ContainerRequest request = asked.remove(ask);
    if (request != null) {
      yarn.removeContainerRequest(request);
    }
    String id = container.getId().toString();
    String host = container.getNodeId().getHost();
    int process = fleet.granted(ask, id, host, nowMillis);
    if (process >= 0) {
      LOG.info("Process {} is started on {} in {}.", process, host, id);
    }
    return process >= 0;
  }

  private void ended(ContainerStatus status, long nowMillis) {
    String id = status.getContainerId().toString();
    int process = fleet.ended(id, status.getExitStatus(), nowMillis);
    if (process >= 0) {
      lastWords =
          "Process %d has ended in %s with status %d. %s"
              .formatted(process, id, status.getExitStatus(), status.getDiagnostics().strip());
      LOG.info("{}", lastWords);
    }
  }

  private void hear(NodeReport node) {
    String host = node.getNodeId().getHost();
    switch (node.getNodeState()) {
      case DECOMMISSIONED -> fleet.hostIsGone(host);
      case LOST, UNHEALTHY, SHUTDOWN, REBOOTED -> fleet.hostIs(host, false);
      case NEW, RUNNING, DECOMMISSIONING -> fleet.hostIs(host, true);
    }
    LOG.info("Host {} is {}.", host, node.getNodeState());
  }

  private void obey(Order order) {
    switch (order) {
      case Order.Ask ask -> {
        String host = ask.host();
        ContainerRequest request =
            ContainerRequest.newBuilder()
                .capability(Resource.newInstance(job.memoryMegabytes(), job.cores()))
                .nodes(host == null ? null : new String[] {host})
                .priority(ask.strict() ? STRICT : ANYWHERE)
                .allocationRequestId(ask.id())
                .relaxLocality(!ask.strict())
                .build();
        asked.put(ask.id(), request);
        yarn.addContainerRequest(request);
        LOG.info(
            "A container is asked for on {}.",
            host == null ? "any host" : host + (ask.strict() ? "" : " or elsewhere"));
      }
      case Order.Withdraw withdraw -> {
        ContainerRequest request = asked.remove(withdraw.id());
        if (request != null) {
          yarn.removeContainerRequest(request);
        }
      }
      case Order.Avoid avoid -> {
        LOG.warn("Host {} is avoided: processes fail there again and again.", avoid.host());
        yarn.updateBlacklist(List.of(avoid.host()), null);
      }
      case Order.Readmit readmit -> yarn.updateBlacklist(null, List.of(readmit.host()));
    }
  }

  private void end(int status) throws YarnException, IOException {
    if (status == 0) {
      end(FinalApplicationStatus.SUCCEEDED, "");
    } else {
      end(
          FinalApplicationStatus.FAILED,
          "A process has ended with status %d, and is not started again. %s"
              .formatted(status, lastWords));
    }
  }

  private void end(FinalApplicationStatus status, String why) throws YarnException, IOException {
    LOG.info("The application ends: {}. {}", status, why);
    yarn.unregisterApplicationMaster(status, why, "");
    files.remove();
  }

  private static long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public void close() {
    MasterPage served = page;
    if (served != null) {
      served.close();
    }
    launcher.close();
    yarn.stop();
  }
}
