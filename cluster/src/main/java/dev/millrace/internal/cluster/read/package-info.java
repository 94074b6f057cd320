/// Reading what members say and what is decided with one reader.
@NullMarked
package dev.millrace.internal.cluster.read;

import org.jspecify.annotations.NullMarked;
