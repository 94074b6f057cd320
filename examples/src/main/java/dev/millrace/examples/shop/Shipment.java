package dev.millrace.examples.shop;

import java.time.Instant;

/// An order left the house.
public record Shipment(String carrier, Instant at) {}
