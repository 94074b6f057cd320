package dev.millrace.internal.kafka.read;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/// Where the bytes of a poll land: the consumer hands out each key and value as a slice of what it
/// fetched, and they are copied from there into a batch, once. What the consumer puts into its
/// records instead are places in that batch, which are used again in the next poll.
///
/// The consumer does not tell of which partition a slice is, so the batch gets its split
/// afterwards, if the poll turns out to be of one; else its content is copied on. Used by the
/// reader's thread, in which the consumer runs.
public final class Landing implements Deserializer<Landing.Place>, ClusterResourceListener {
  private static final int LARGEST_KEPT_BYTES = 4 << 20;
  private static final Split NOWHERE = new Split("", 0);
  private static final byte[] NO_DETAIL = {};

  /// Where a key or value lies in the data of the batch.
  public static final class Place {
    int start;
    int length;
  }

  private final BatchPool pool;
  private RecordBatch batch;
  private Place[] places = new Place[256];
  private int used;
  private int metadataUpdates;

  Landing(BatchPool pool) {
    this.pool = pool;
    batch = pool.take(NOWHERE, NO_DETAIL, 0);
    fill(0);
  }

  private void fill(int from) {
    for (int i = from; i < places.length; i++) {
      places[i] = new Place();
    }
  }

  @Override
  public Place deserialize(String topic, Headers headers, ByteBuffer bytes) {
    int length = bytes.remaining();
    BytesWriter data = batch.data();
    int start = data.reserve(length);
    bytes.get(bytes.position(), data.array(), start, length);
    return place(start, length);
  }

  @Override
  public Place deserialize(String topic, byte[] bytes) {
    int start = batch.data().length();
    batch.data().write(bytes);
    return place(start, bytes.length);
  }

  private Place place(int start, int length) {
    if (used == places.length) {
      int from = places.length;
      Place[] more = new Place[from * 2];
      System.arraycopy(places, 0, more, 0, from);
      places = more;
      fill(from);
    }
    Place place = places[used++];
    place.start = start;
    place.length = length;
    return place;
  }

  /// What has landed since [#clear].
  BytesWriter data() {
    return batch.data();
  }

  /// Gives the batch away with what has landed in it, and makes room for the next poll.
  RecordBatch take() {
    RecordBatch taken = batch;
    batch = pool.take(NOWHERE, NO_DETAIL, 0);
    used = 0;
    return taken;
  }

  /// Makes room for the next poll; what has landed is lost.
  void clear() {
    used = 0;
    if (batch.data().array().length > LARGEST_KEPT_BYTES) {
      batch.release();
      batch = pool.take(NOWHERE, NO_DETAIL, 0);
    } else {
      batch.data().clear();
    }
  }

  void release() {
    batch.release();
  }

  /// How often the consumer heard from the cluster where topics are, and which.
  int metadataUpdates() {
    return metadataUpdates;
  }

  @Override
  public void onUpdate(ClusterResource resource) {
    metadataUpdates++;
  }
}
