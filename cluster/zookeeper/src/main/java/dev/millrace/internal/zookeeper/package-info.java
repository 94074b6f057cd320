/// Which processes of an application live, as ZooKeeper knows it by their sessions.
@NullMarked
package dev.millrace.internal.zookeeper;

import org.jspecify.annotations.NullMarked;
