package dev.millrace.internal.kafka.client;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/// Converts exceptions of Kafka's clients to [LogException]s with a description and a remedy.
public final class KafkaFailures {
  /// What the admin client puts behind a sentence.
  private static final Pattern CALL = Pattern.compile("\\s*Call: .*$", Pattern.DOTALL);

  private KafkaFailures() {}

  /// @param what was tried, naming topic and partition: the beginning of a sentence
  public static LogException of(String what, Throwable cause) {
    return of(null, what, cause);
  }

  public static LogException of(@Nullable Split split, String what, Throwable cause) {
    Throwable told = telling(cause);
    Kind kind = kind(told);
    return new LogException(kind, split, what + ": " + text(told), cause);
  }

  /// Returns a description of the failure and what to do.
  public static String text(Throwable cause) {
    Throwable told = telling(cause);
    String message = told.getMessage() == null ? told.toString() : told.getMessage();
    String said =
        told instanceof TimeoutException
            ? "Kafka did not answer in time (%s)"
                .formatted(Words.clause(CALL.matcher(message).replaceFirst("")))
            : message;
    return Words.both(said, wayOut(told));
  }

  public static boolean isFencing(@Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof ProducerFencedException) {
        return true;
      }
    }
    return false;
  }

  /// Returns the cause that describes the failure best: the clients wrap it in more general
  /// exceptions.
  private static Throwable telling(Throwable cause) {
    Throwable told = cause;
    while (told.getClass() == KafkaException.class && told.getCause() != null) {
      told = told.getCause();
    }
    return told;
  }

  private static Kind kind(Throwable told) {
    return switch (told) {
      case UnknownTopicOrPartitionException e -> Kind.MISSING;
      case UnknownTopicIdException e -> Kind.MISSING;
      case ProducerFencedException e -> Kind.FENCED;
      case InvalidProducerEpochException e -> Kind.FENCED;
      case RecordTooLargeException e -> Kind.TOO_LARGE;
      case RetriableException e -> Kind.UNAVAILABLE;
      case UnknownServerException e -> Kind.UNAVAILABLE;
      case ApiException e -> Kind.REFUSED;
      case ConfigException e -> Kind.REFUSED;
      default -> Kind.UNAVAILABLE;
    };
  }

  private static String wayOut(Throwable told) {
    return switch (told) {
      case SslAuthenticationException e ->
          "Check the ssl.* properties: the certificates of this process and of the brokers.";
      case AuthenticationException e ->
          "Check security.protocol, sasl.mechanism and sasl.jaas.config.";
      case AuthorizationException e ->
          "Ask an operator of the cluster to allow it to the user of this process (kafka-acls.sh).";
      case UnsupportedVersionException e -> "Brokers need Kafka 4.0 or newer.";
      case InvalidTxnTimeoutException e ->
          "Choose a shorter transaction timeout, or raise transaction.max.timeout.ms of the"
              + " brokers.";
      case ThrottlingQuotaExceededException e ->
          "Try again later, or ask an operator of the cluster to raise controller_mutation_rate of"
              + " this client (kafka-configs.sh).";
      case UnknownTopicOrPartitionException e -> "Create it, or correct its name.";
      case InvalidTimestampException e ->
          "Raise message.timestamp.after.max.ms of the topic with kafka-configs.sh, or let the sink"
              + " write other timestamps with .timestamps(Timestamps.CLAMPED).";
      case RecordTooLargeException e ->
          "Raise max.message.bytes of the topic (and max.request.size of the client), or send"
              + " less.";
      default -> "";
    };
  }
}
