/// A model of Kafka in one thread, under a seed and a virtual clock.
///
/// [ModelLog] is the entry point: the broker with its topics, and the hooks of tests. An engine
/// gets the [dev.millrace.spi.Log] of one simulated process. Its parts are, from the process to the
/// broker: the client's reader and writer; the link of the process, where messages are late or
/// lost; the coordinator of transactions; the partitions; the cleaner.
@NullMarked
package dev.millrace.testkit.log;

import org.jspecify.annotations.NullMarked;
