package dev.millrace.examples.flights;

import java.time.Instant;

/// An airport among the ten with the most delays of an hour.
///
/// @param hour the hour's start
/// @param rank from 1
/// @param delays late departures and late arrivals, by the flights' scheduled departure
public record DelayedAirport(Instant hour, int rank, String airport, long delays) {}
