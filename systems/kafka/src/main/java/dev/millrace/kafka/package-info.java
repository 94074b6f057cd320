/// What a user says of the connection to Kafka.
@NullMarked
package dev.millrace.kafka;

import org.jspecify.annotations.NullMarked;
