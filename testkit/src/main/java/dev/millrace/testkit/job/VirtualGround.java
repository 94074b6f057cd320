package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.sim.InputRecord;
import dev.millrace.testkit.sim.Simulation;
import dev.millrace.testkit.sim.SimulationSettings;
import dev.millrace.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Models, in virtual time.
final class VirtualGround implements Ground {
  private static final long MOST_STEPS = 1_000_000;

  private final Hosts hosts = Hosts.models();
  private final Simulation simulation;

  VirtualGround(StreamApplication application, Shape shape, SimulationSettings settings) {
    simulation =
        new Simulation(shape.seed(), application, settings, hosts, new VirtualClock(shape.start()));
    // Event times of any day, also in a topic that the application creates while it runs.
    simulation
        .log()
        .defaults(Map.of("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)));
  }

  @Override
  public Simulation run() {
    return simulation;
  }

  @Override
  public ModelLog log() {
    return simulation.log();
  }

  @Override
  public void write(List<InputRecord> records) {
    for (InputRecord record : records) {
      simulation
          .log()
          .append(
              record.split(),
              record.timestamp(),
              bytes(record.key()),
              bytes(record.value()),
              record.headers().toByteArray());
    }
  }

  private static byte @Nullable [] bytes(@Nullable Bytes view) {
    return view == null ? null : view.toByteArray();
  }

  @Override
  public void pass(Duration time) {
    simulation.log().advance(time);
  }

  @Override
  public boolean overdue(long steps, Duration time) {
    return steps > MOST_STEPS;
  }

  @Override
  public void close() {
    simulation.endAll();
    hosts.close();
  }
}
