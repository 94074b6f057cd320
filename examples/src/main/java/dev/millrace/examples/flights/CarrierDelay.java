package dev.millrace.examples.flights;

import java.util.Objects;

/// The arrival delays of a carrier's flights.
///
/// @param flights how many arrivals are known
/// @param totalMinutes the sum of their delays; early arrivals count as negative
/// @param worstMinutes the largest of them
public record CarrierDelay(long flights, long totalMinutes, long worstMinutes) {
  static final CarrierDelay NONE = new CarrierDelay(0, 0, Long.MIN_VALUE);

  CarrierDelay plus(Flight flight) {
    int minutes = Objects.requireNonNull(flight.arrDelay());
    return new CarrierDelay(flights + 1, totalMinutes + minutes, Math.max(worstMinutes, minutes));
  }

  /// The mean delay in minutes.
  public double meanMinutes() {
    return (double) totalMinutes / flights;
  }
}
