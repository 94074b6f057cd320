/// Which process of an application is asked for where, when that is relaxed, which hosts are
/// avoided and when a process is given up. Nothing here knows YARN, a clock or a file.
@NullMarked
package dev.millrace.internal.yarn.fleet;

import org.jspecify.annotations.NullMarked;
