/// What sources and sinks tell the engine: for authors of connectors. Who writes an application
/// describes its sources and sinks by [dev.millrace.api.Kafka] and the like, and needs no type of
/// this package but [dev.millrace.api.connector.Timestamps].
///
/// A connector implements [dev.millrace.api.connector.Source] or [dev.millrace.api.connector.Sink]
/// by way of `dev.millrace.spi.ExternalSource` and `dev.millrace.spi.ExternalSink`, which open
/// them.
@NullMarked
package dev.millrace.api.connector;

import org.jspecify.annotations.NullMarked;
