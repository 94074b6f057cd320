package dev.millrace.house.planted.arrows;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.millrace.house.planted.arrows.seen.Seen;

/// Sees another package and a library; what that is worth depends on the modules they are taken
/// for.
public record Sees(Seen seen, JavaClass library) {}
