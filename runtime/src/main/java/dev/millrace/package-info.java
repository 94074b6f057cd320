/// Runs applications: [Millrace] starts one, and [Job] is a running one.
@NullMarked
package dev.millrace;

import org.jspecify.annotations.NullMarked;
