package dev.millrace.engine.settings;

import dev.millrace.engine.input.Sources;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;

/// What an engine runs on.
///
/// @param sources of the topology; closed by who made them
public record Surroundings(Log log, Disks disks, Clock clock, Sources sources) {}
