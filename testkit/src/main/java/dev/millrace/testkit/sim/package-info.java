/// A whole job in one thread: several containers over the model log and the model disk, in virtual
/// time, crashed wherever a seed says.
@NullMarked
package dev.millrace.testkit.sim;

import org.jspecify.annotations.NullMarked;
