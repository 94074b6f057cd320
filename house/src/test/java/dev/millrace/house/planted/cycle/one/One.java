package dev.millrace.house.planted.cycle.one;

import dev.millrace.house.planted.cycle.two.Two;

/// One half of a cycle of packages.
public record One(Two two) {}
