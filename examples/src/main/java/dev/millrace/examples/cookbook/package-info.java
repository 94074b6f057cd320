/// The applications that the cookbook shows, one a pattern.
@NullMarked
package dev.millrace.examples.cookbook;

import org.jspecify.annotations.NullMarked;
