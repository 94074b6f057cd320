/// The commands `millrace yarn`, which run in a process of their own with the client of Hadoop.
@NullMarked
package dev.millrace.internal.yarn;

import org.jspecify.annotations.NullMarked;
