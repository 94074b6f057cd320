/// Planted bugs, which the simulation must find to show that it detects such bugs.
@NullMarked
package dev.millrace.testkit.mutants;

import org.jspecify.annotations.NullMarked;
