/// A real Kafka broker inside the process: one node that is broker and controller, on the loopback
/// address, with its data in a directory. For demos, development and tests; not for production.
///
/// Start reading at [dev.millrace.kafka.embedded.EmbeddedKafka]; it locks and formats a
/// `DataDirectory`, binds `LoopbackSockets`, asks `BrokerSettings` for the broker's properties and
/// runs a `Broker` in a `BrokerThreads` group.
///
/// Tests share one broker a process, [dev.millrace.kafka.embedded.SharedEmbeddedKafka], and write
/// and read its topics by [dev.millrace.kafka.embedded.SharedTopics]. Those that end brokers, or
/// cut clients off from them, have [dev.millrace.kafka.embedded.ThreeBrokers], each in a process.
///
/// Logging: the broker logs through slf4j, and this module brings `slf4j-api` without a provider,
/// so what is printed is up to the application; the broker's loggers are below `kafka` and
/// `org.apache.kafka`. With no provider slf4j prints its own notice on standard error and the
/// broker is silent. Of Log4j only the API is here, because one class of the broker needs it, see
/// [dev.millrace.kafka.embedded.QuietLog4jProvider]; an application may have all of Log4j or none.
///
/// From Java 24 on the virtual machine warns, once, that Kafka unmaps files by a deprecated method;
/// `--sun-misc-unsafe-memory-access=allow` on its command line silences that.
@NullMarked
package dev.millrace.kafka.embedded;

import org.jspecify.annotations.NullMarked;
