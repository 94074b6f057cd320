/// Planted bugs: what the simulation must find, or it proves nothing.
@NullMarked
package dev.millrace.testkit.mutants;

import org.jspecify.annotations.NullMarked;
