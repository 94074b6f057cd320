package dev.millrace.kafka.serdes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaSerdesTest {
  private static <T> byte[] bytes(Serde<T> serde, T value) {
    BytesWriter out = new BytesWriter();
    serde.write(value, out);
    return out.toByteArray();
  }

  /// The serde of the API and the one of Kafka write the same and read each other's bytes.
  private static <T> void same(
      Serde<T> own, org.apache.kafka.common.serialization.Serde<T> kafka, T value) {
    byte[] expected = kafka.serializer().serialize("t", value);
    assertArrayEquals(expected, bytes(own, value), () -> own.id() + " " + value);
    assertEquals(value, own.read(Bytes.of(expected)));
    Serde<T> adapted = KafkaSerdes.of(kafka);
    assertArrayEquals(expected, bytes(adapted, value));
    assertEquals(value, adapted.read(Bytes.of(expected)));
  }

  @Test
  void theNumbersOfTheApiAreTheOnesOfKafka() {
    Random random = new Random(17);
    for (int i = 0; i < 2_000; i++) {
      long any = random.nextLong() >> random.nextInt(64);
      same(dev.millrace.api.serde.Serdes.kafkaLong(), Serdes.Long(), any);
      same(dev.millrace.api.serde.Serdes.kafkaInteger(), Serdes.Integer(), (int) any);
      same(dev.millrace.api.serde.Serdes.kafkaShort(), Serdes.Short(), (short) any);
      same(
          dev.millrace.api.serde.Serdes.kafkaDouble(),
          Serdes.Double(),
          Double.longBitsToDouble(random.nextLong()));
      same(dev.millrace.api.serde.Serdes.kafkaFloat(), Serdes.Float(), random.nextFloat());
    }
    for (float f : new float[] {Float.NaN, -0.0f, Float.NEGATIVE_INFINITY, Float.MIN_VALUE}) {
      same(dev.millrace.api.serde.Serdes.kafkaFloat(), Serdes.Float(), f);
    }
    same(dev.millrace.api.serde.Serdes.string(), Serdes.String(), "Mühle\uD83D\uDE00");
    for (int i = 0; i < 500; i++) {
      String text =
          random
              .ints(random.nextInt(40), 0, Character.MAX_CODE_POINT + 1)
              .filter(each -> each < Character.MIN_SURROGATE || each > Character.MAX_SURROGATE)
              .map(each -> random.nextBoolean() ? each : each & 0xFF)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      same(dev.millrace.api.serde.Serdes.string(), Serdes.String(), text);
    }
    same(dev.millrace.api.serde.Serdes.booleans(), Serdes.Boolean(), true);
    same(dev.millrace.api.serde.Serdes.booleans(), Serdes.Boolean(), false);
  }

  @Test
  void simpleTypesOfKafkaAreCanonicalAndHaveStableIds() {
    Serde<Long> longs = KafkaSerdes.of(Serdes.Long());
    assertEquals("kafka:org.apache.kafka.common.serialization.LongSerializer", longs.id());
    assertTrue(longs.canonical());
    assertFalse(longs.ordered());
    assertTrue(KafkaSerdes.of(Serdes.UUID()).canonical());
    assertFalse(KafkaSerdes.of(Serdes.Float()).canonical(), "it keeps the bits of any NaN");
    UUID uuid = new UUID(1, 2);
    assertEquals(
        uuid,
        KafkaSerdes.of(Serdes.UUID())
            .read(Bytes.of(uuid.toString().getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void aSerializerWithoutANameOfItsOwnNeedsAnId() {
    Serializer<String> lambda = (topic, text) -> text.getBytes(StandardCharsets.UTF_8);
    Deserializer<String> reader = new StringDeserializer();
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> KafkaSerdes.of(lambda, reader))
            .getMessage()
            .endsWith("Give an id: of(id, serializer, deserializer)"));
    Serializer<String> anonymous = new StringSerializer() {};
    assertThrows(IllegalArgumentException.class, () -> KafkaSerdes.of(anonymous, reader));
    Serde<String> named = KafkaSerdes.of("mine", lambda, reader);
    assertEquals("mine", named.id());
    assertEquals("x", named.read(Bytes.of(bytes(named, "x"))));
  }

  @Test
  void theTopicReachesBothSides() {
    Serde<String> serde =
        KafkaSerdes.of(
            "echo",
            (topic, text) -> (topic + "<" + text).getBytes(StandardCharsets.UTF_8),
            (topic, data) -> topic + ">" + new String(data, StandardCharsets.UTF_8));
    Serde<String> orders = serde.forTopic("orders", true);
    assertArrayEquals("orders<x".getBytes(StandardCharsets.UTF_8), bytes(orders, "x"));
    assertEquals("orders>y", orders.read(Bytes.ofUtf8("y")));
    assertEquals(">y", serde.read(Bytes.ofUtf8("y")), "the first one has no topic");
    assertEquals("lines>y", orders.forTopic("lines", false).read(Bytes.ofUtf8("y")));
  }

  @Test
  void aDeserializerMayKeepWhatItGets() {
    byte[] shared = {1, 2, 3};
    Serde<byte[]> serde = KafkaSerdes.of("bytes", (_, data) -> data, new ByteArrayDeserializer());
    byte[] kept = serde.read(Bytes.of(shared));
    assertNotSame(shared, kept);
    assertArrayEquals(shared, kept);
  }

  @Test
  void whatASerializerThrowsIsBadInputUnlessItSaysOtherwise() {
    IllegalStateException ordinary = new IllegalStateException("not this one");
    SerdeException e =
        assertThrows(SerdeException.class, () -> failing(ordinary).read(Bytes.ofUtf8("x")));
    assertSame(ordinary, e.getCause());
    assertThrows(SerdeException.class, () -> bytes(failing(ordinary), "x"));
    for (RuntimeException fault :
        List.of(
            new TimeoutException("the registry is slow"),
            new TopicAuthorizationException("the registry forbids it"),
            new SerdeException("already said"))) {
      Serde<String> serde = failing(fault);
      assertSame(fault, assertThrows(fault.getClass(), () -> serde.read(Bytes.ofUtf8("x"))));
      assertSame(fault, assertThrows(fault.getClass(), () -> bytes(serde, "x")));
    }
  }

  private static Serde<String> failing(RuntimeException fault) {
    return KafkaSerdes.of(
        "failing",
        (_, _) -> {
          throw fault;
        },
        (_, _) -> {
          throw fault;
        });
  }

  @Test
  void nullIsNeverAValue() {
    Serde<String> serde = KafkaSerdes.of("null", (_, _) -> null, (_, _) -> null);
    assertThrows(SerdeException.class, () -> bytes(serde, "x"));
    assertThrows(SerdeException.class, () -> serde.read(Bytes.ofUtf8("x")));
  }

  private static final class WithHeaders implements Serializer<String> {
    @Override
    public byte[] serialize(String topic, String data) {
      throw new AssertionError("the method with headers is the one to call");
    }

    @Override
    public byte[] serialize(String topic, Headers headers, String data) {
      headers.add("schema-id", new byte[] {1});
      return data.getBytes(StandardCharsets.UTF_8);
    }
  }

  @Test
  void aSerializerThatNeedsHeadersStops() {
    Serde<String> serde = KafkaSerdes.of(new WithHeaders(), new StringDeserializer());
    assertTrue(
        assertThrows(IllegalStateException.class, () -> bytes(serde, "x"))
            .getMessage()
            .matches("(?s).*WithHeaders writes headers.*KafkaSerdes.keepingHeaders.*"));
  }

  /// Reads what [WithHeaders] writes, with what all its headers say.
  private static final class OfHeaders implements Deserializer<String> {
    @Override
    public String deserialize(String topic, byte[] data) {
      throw new AssertionError("the method with headers is the one to call");
    }

    @Override
    public String deserialize(String topic, Headers headers, byte[] data) {
      StringBuilder text = new StringBuilder(new String(data, StandardCharsets.UTF_8));
      headers.forEach(header -> {
        byte[] value = header.value();
        text.append(' ').append(header.key()).append(value == null ? "-" : value.length);
      });
      return text.toString();
    }
  }

  @Test
  void headersOfATopicAreGivenToBothSides() {
    Serde<String> serde = KafkaSerdes.of(new WithHeaders(), new OfHeaders());
    assertTrue(serde.usesHeaders());
    RecordHeaders headers = new RecordHeaders();
    headers.add("trace", new byte[] {1, 2});
    headers.add("schema-id", new byte[] {7, 7, 7});
    headers.add("none", null);
    headers.add("trace", new byte[0]);
    BytesWriter out = new BytesWriter();
    serde.write("x", headers, out);
    assertArrayEquals("x".getBytes(StandardCharsets.UTF_8), out.toByteArray());
    assertEquals(
        "x trace2 none- trace0 schema-id1", serde.read(Bytes.of(out.toByteArray()), headers));
    assertArrayEquals(new byte[] {1}, headers.last("schema-id"));
  }

  @Test
  void headersAreKeptWhereThereAreNoneIfThatIsWanted() {
    Serde<String> plain = KafkaSerdes.of(new WithHeaders(), new OfHeaders());
    Serde<String> keeping = KafkaSerdes.keepingHeaders(plain).forTopic("t", false);
    assertEquals(plain.id() + "+headers", keeping.id());
    byte[] kept = bytes(keeping, "x");
    assertArrayEquals(
        new byte[] {1, 9, 's', 'c', 'h', 'e', 'm', 'a', '-', 'i', 'd', 2, 1, 'x'}, kept);
    assertEquals("x schema-id1", keeping.read(Bytes.of(kept)));
    assertThrows(
        SerdeException.class, () -> keeping.read(Bytes.of(java.util.Arrays.copyOf(kept, 5))));
    assertThrows(
        IllegalArgumentException.class,
        () -> KafkaSerdes.keepingHeaders(dev.millrace.api.serde.Serdes.string()));
  }

  @Test
  void onlyItsOwnSerdesTakeAPromise() {
    assertThrows(
        IllegalArgumentException.class,
        () -> KafkaSerdes.canonical(dev.millrace.api.serde.Serdes.string()));
  }
}
