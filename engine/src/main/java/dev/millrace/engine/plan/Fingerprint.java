package dev.millrace.engine.plan;

import dev.millrace.api.serde.Serde;
import java.nio.charset.StandardCharsets;

/// A number that stands for a text, the same in every process and version: FNV-1a with 64 bits over
/// what is added. Every part carries its length, so that no two sequences of parts look alike.
final class Fingerprint {
  private static final long START = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private long hash = START;

  Fingerprint add(String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    add(bytes.length);
    for (byte b : bytes) {
      addByte(b);
    }
    return this;
  }

  Fingerprint add(int number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      addByte((byte) (number >>> shift));
    }
    return this;
  }

  Fingerprint add(Serde<?> serde) {
    return add(serde.id()).add(serde.schema());
  }

  long value() {
    return hash;
  }

  private void addByte(byte b) {
    hash = (hash ^ (b & 0xFF)) * PRIME;
  }

  /// The version of a plan.
  static long of(
      String application, Iterable<Plan.Stage> stages, Iterable<Plan.Exchange> exchanges) {
    Fingerprint fingerprint = new Fingerprint().add("plan 1").add(application);
    for (Plan.Stage stage : stages) {
      fingerprint.add("stage").add(stage.index()).add(stage.partitions());
      for (Plan.Input input : stage.inputs()) {
        fingerprint.add("input").add(input.stream()).add(input.partitions());
        if (input.broadcast()) {
          fingerprint.add("every task reads all of it");
        }
      }
      for (Plan.Store store : stage.stores()) {
        fingerprint
            .add("store")
            .add(store.number())
            .add(store.spec().name())
            .add(store.spec().ranges() ? 1 : 0)
            .add(store.spec().keySerde())
            .add(store.spec().valueSerde());
        if (store.spec().timeToLive() != null) {
          fingerprint.add("values carry their expiry");
        }
      }
    }
    for (Plan.Exchange exchange : exchanges) {
      fingerprint
          .add("exchange")
          .add(exchange.topic())
          .add(exchange.fromStage())
          .add(exchange.toStage())
          .add(exchange.partitions())
          .add(exchange.node().keySerde())
          .add(exchange.node().valueSerde());
    }
    return fingerprint.value();
  }
}
