/// Which process of an application owns which of its tasks, while processes come and go.
@NullMarked
package dev.millrace.internal.cluster;

import org.jspecify.annotations.NullMarked;
