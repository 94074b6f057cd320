/// The engine: from a topology to running tasks. Its door is [Engine].
@NullMarked
package dev.millrace.internal.engine;

import org.jspecify.annotations.NullMarked;
