/// The applications that the guides show.
@NullMarked
package dev.millrace.examples.guide;

import org.jspecify.annotations.NullMarked;
