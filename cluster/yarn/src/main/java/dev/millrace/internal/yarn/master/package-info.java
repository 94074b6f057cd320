/// The application master: asks YARN for containers and starts the processes of an application in
/// them.
@NullMarked
package dev.millrace.internal.yarn.master;

import org.jspecify.annotations.NullMarked;
