package dev.millrace.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/// What a user's program does with JSON, for projects with other versions of Jackson on their class
/// path.
final class JsonUser {
  record Order(@JsonProperty("order-id") String id, Instant at, Optional<Integer> amount) {}

  private JsonUser() {}

  public static void main(String[] args) {
    try {
      Serde<Order> serde = Json.json(Order.class);
      BytesWriter out = new BytesWriter();
      Order order = new Order("a-1", Instant.EPOCH, Optional.of(3));
      serde.write(order, out);
      System.out.println(new String(out.toByteArray(), StandardCharsets.UTF_8));
      System.out.println(order.equals(serde.read(Bytes.of(out.toByteArray()))));
    } catch (InvalidTopologyException e) {
      System.out.println(e.getMessage());
    }
  }
}
