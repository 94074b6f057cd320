package dev.millrace.house.planted.cycle.two;

import dev.millrace.house.planted.cycle.one.One;
import org.jspecify.annotations.Nullable;

/// The other half of a cycle of packages.
public record Two(@Nullable One one) {}
