/// Settings of the connection to Kafka.
@NullMarked
package dev.millrace.kafka;

import org.jspecify.annotations.NullMarked;
