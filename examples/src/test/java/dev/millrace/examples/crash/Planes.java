package dev.millrace.examples.crash;

import dev.millrace.kafka.DataPlane;
import java.util.Locale;

/// Which data plane the lives of a job have, one after the other.
enum Planes {
  OFFICIAL,
  DIRECT,
  /// Every other life has the other one, on the same state and with the same writers.
  IN_TURN;

  /// Of a test that leaves it to the system property `millrace.planes`: `official`, `direct`, or
  /// `in-turn`, which it is otherwise.
  static Planes asked() {
    String asked = System.getProperty("millrace.planes", "in-turn");
    return valueOf(asked.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /// The argument of a job.
  ///
  /// @param life counted from 0
  String argument(int life) {
    DataPlane plane =
        switch (this) {
          case OFFICIAL -> DataPlane.OFFICIAL;
          case DIRECT -> DataPlane.DIRECT;
          case IN_TURN -> life % 2 == 0 ? DataPlane.DIRECT : DataPlane.OFFICIAL;
        };
    return "--kafka.data-plane=" + plane.name().toLowerCase(Locale.ROOT);
  }
}
