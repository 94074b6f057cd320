package dev.millrace.examples.crash;

import dev.millrace.Millrace;
import dev.millrace.examples.flights.DelayedFlights;

/// The delayed flights as a user would run them.
public final class PlainFlights {
  private PlainFlights() {}

  public static void main(String[] args) {
    Millrace.run(new DelayedFlights(), args);
  }
}
