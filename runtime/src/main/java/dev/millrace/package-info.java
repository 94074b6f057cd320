/// Running an application: [Millrace] starts it, [Job] is what runs.
@NullMarked
package dev.millrace;

import org.jspecify.annotations.NullMarked;
