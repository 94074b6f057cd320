/// What sources and sinks answer when the engine asks: for authors of connectors.
///
/// A connector implements `dev.millrace.spi.ExternalSource` or `dev.millrace.spi.ExternalSink`,
/// which are a [dev.millrace.api.connector.Source] and a [dev.millrace.api.connector.Sink] that can
/// be opened. An application describes its sources and sinks with [dev.millrace.api.Kafka] or what
/// a connector offers, and needs no type of this package, except where it sets
/// [dev.millrace.api.connector.Timestamps].
@NullMarked
package dev.millrace.api.connector;

import org.jspecify.annotations.NullMarked;
