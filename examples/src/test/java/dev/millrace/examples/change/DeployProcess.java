package dev.millrace.examples.change;

import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.Deployment;
import dev.millrace.internal.engine.versions.Deployments;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Does what `millrace deploy finalize` and `rollback` do, in a process of its own that is killed
/// between their steps.
///
///     DeployProcess <bootstrap> <application> finalize|rollback <point at which it stands still>
///
/// Its status is 0 if no change is being rolled out at its end.
public final class DeployProcess {
  private static final Duration PAUSE = Duration.ofMillis(5);

  /// Many processes start at the same time.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private DeployProcess() {}

  public static void main(String[] args) {
    Thread.ofPlatform().daemon().start(ChangedJob::endWithParent);
    try (Log log =
        KafkaLog.connect(
            KafkaLogSettings.of(args[0], "deploy")
                .withDataPlane(DataPlane.OFFICIAL)
                .withPatience(PATIENCE))) {
      Deployments deployments =
          new Deployments(
              ApplicationName.of(args[1]),
              new Halting(Halting.Point.valueOf(args[3])).around(log),
              Clock.system(),
              () -> LockSupport.parkNanos(PAUSE.toNanos()));
      Deployment open = deployments.recorded().deployment();
      boolean done =
          open == null
              || switch (args[2]) {
                case "finalize" -> deployments.finish(open, _ -> true);
                case "rollback" -> deployments.rollBack(open);
                default -> throw new IllegalArgumentException(args[2]);
              };
      System.exit(done ? 0 : 1);
    }
  }
}
