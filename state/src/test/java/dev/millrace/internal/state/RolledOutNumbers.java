package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;

/// Writes texts until a rollout is over, and then numbers.
final class RolledOutNumbers implements SwitchingSerde<Long> {
  @Override
  public Serde<Long> later() {
    return MigrationSweepTest.NEW;
  }

  boolean over;

  @Override
  public String id() {
    return MigrationSweepTest.NEW.id();
  }

  @Override
  public void write(Long value, BytesWriter out) {
    if (over) {
      MigrationSweepTest.NEW.write(value, out);
    } else {
      MigrationSweepTest.OLD.write(value.toString(), out);
    }
  }

  @Override
  public Long read(Bytes in) {
    return MigrationSweepTest.NEW.read(in);
  }

  @Override
  public boolean immutable() {
    return true;
  }
}
