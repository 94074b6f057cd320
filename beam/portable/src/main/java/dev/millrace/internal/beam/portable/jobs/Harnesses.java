package dev.millrace.internal.beam.portable.jobs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.beam.model.pipeline.v1.Endpoints;
import org.apache.beam.model.pipeline.v1.RunnerApi.StandardEnvironments.Environments;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.runners.fnexecution.control.ControlClientPool;
import org.apache.beam.runners.fnexecution.control.DefaultJobBundleFactory;
import org.apache.beam.runners.fnexecution.control.FnApiControlClientPoolService;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.runners.fnexecution.environment.DockerEnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.EmbeddedEnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.EnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.ExternalEnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.ProcessEnvironmentFactory;
import org.apache.beam.runners.fnexecution.logging.GrpcLoggingService;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.runners.fnexecution.provisioning.StaticGrpcProvisionService;
import org.apache.beam.sdk.fn.IdGenerator;
import org.apache.beam.sdk.fn.server.GrpcContextHeaderAccessorProvider;
import org.apache.beam.sdk.fn.server.GrpcFnServer;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.construction.BeamUrns;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.BindableService;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerInterceptors;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.netty.NettyServerBuilder;

/// How harnesses are started and reached: those of this machine alone, by its loopback address.
final class Harnesses {
  private Harnesses() {}

  /// Returns what the harnesses of a job are reached by. None is started before it is needed.
  static JobBundleFactory of(JobInfo job, PipelineOptions options) {
    Map<String, EnvironmentFactory.Provider> all = new LinkedHashMap<>();
    all.put(
        BeamUrns.getUrn(Environments.EXTERNAL),
        new Here(new ExternalEnvironmentFactory.Provider()));
    all.put(
        BeamUrns.getUrn(Environments.PROCESS),
        new Here(new ProcessEnvironmentFactory.Provider(options)));
    all.put(BeamUrns.getUrn(Environments.DOCKER), new DockerEnvironmentFactory.Provider(options));
    all.put(
        org.apache.beam.sdk.util.construction.Environments.ENVIRONMENT_EMBEDDED,
        new EmbeddedEnvironmentFactory.Provider(options));
    return DefaultJobBundleFactory.create(job, all);
  }

  /// Starts harnesses as another one does, but lets nobody reach their servers from elsewhere.
  private record Here(EnvironmentFactory.Provider provider) implements EnvironmentFactory.Provider {
    @Override
    public EnvironmentFactory createEnvironmentFactory(
        GrpcFnServer<FnApiControlClientPoolService> control,
        GrpcFnServer<GrpcLoggingService> logging,
        GrpcFnServer<ArtifactRetrievalService> artifacts,
        GrpcFnServer<StaticGrpcProvisionService> provisioning,
        ControlClientPool clients,
        IdGenerator ids) {
      return provider.createEnvironmentFactory(
          control, logging, artifacts, provisioning, clients, ids);
    }

    @Override
    public ServerFactory getServerFactory() {
      return new Loopback();
    }
  }

  /// Makes servers that listen on the loopback address. Beam's own listen on all of them.
  private static final class Loopback extends ServerFactory {
    private static final int KEEP_ALIVE_SECONDS = 20;

    @Override
    public Server allocateAddressAndCreate(
        List<BindableService> services, Endpoints.ApiServiceDescriptor.Builder descriptor)
        throws IOException {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(address)
              .maxInboundMessageSize(Integer.MAX_VALUE)
              .permitKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
      for (BindableService each : services) {
        builder.addService(
            ServerInterceptors.intercept(each, GrpcContextHeaderAccessorProvider.interceptor()));
      }
      Server server = builder.build().start();
      descriptor.setUrl(address.getHostString() + ":" + server.getPort());
      return server;
    }

    @Override
    public Server create(
        List<BindableService> services, Endpoints.ApiServiceDescriptor descriptor) {
      throw new UnsupportedOperationException("Servers of harnesses have free ports.");
    }
  }
}
