/// A blob store in memory that fails on demand.
@NullMarked
package dev.millrace.testkit.blob;

import org.jspecify.annotations.NullMarked;
