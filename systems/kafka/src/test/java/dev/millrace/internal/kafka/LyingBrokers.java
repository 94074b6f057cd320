package dev.millrace.internal.kafka;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/// Stands between clients and a [ModelCluster], and changes, garbles, loses or withholds some of
/// its answers.
///
/// It does not tell lies that nobody could see through: that something was done which was not, the
/// records of one partition as those of another, other bytes than the log's with a checksum that
/// fits, another list of aborted transactions, the address of one broker as that of another (a
/// connection to it would stay), a leader epoch that is far ahead, a pause of days.
public final class LyingBrokers implements ModelNetwork.Listener {
  /// What becomes of an answer.
  public enum Fate {
    TRUE,
    CHANGED,
    GARBLED,
    /// The connection ends before the request is looked at.
    LOST_BEFORE,
    /// The connection ends when it was done.
    LOST_AFTER,
    SILENT
  }

  private static final Set<String> UNTOUCHED =
      Set.of(
          "throttleTimeMs",
          "abortedTransactions",
          "host",
          "apiKeys",
          "nodeEndpoints",
          "recordErrors");

  /// Of answers to ends: final verdicts.
  private static final Set<Integer> VERDICTS = Set.of(47, 48, 49, 90);

  private static final int REMEMBERED = 10;
  private static final int DUPLICATE = 46;
  private static final int HIGHEST_ERROR = 133;

  private final ModelCluster cluster;
  private final Random random;
  public final Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
  public final Map<ApiKeys, Integer> changed = new TreeMap<>();

  /// The last answers.
  public final Deque<String> last = new ArrayDeque<>();

  /// In a thousand answers.
  public int lies;

  public LyingBrokers(ModelCluster cluster, long seed) {
    this.cluster = cluster;
    random = new Random(seed);
  }

  @Override
  public ModelNetwork.Reply receive(String connection, int port, ByteBuffer bytes) {
    RequestHeader header = RequestHeader.parse(bytes);
    ApiKeys api = header.apiKey();
    short version = header.apiVersion();
    ApiMessage request =
        AbstractRequest.parseRequest(api, version, new ByteBufferAccessor(bytes)).request.data();
    Fate fate = fate(api);
    if (fate == Fate.LOST_BEFORE) {
      count(fate, api, "");
      return new ModelNetwork.Reply(null, true);
    }
    ApiMessage answer = cluster.answer(port, api, request);
    if (fate == Fate.CHANGED && !change(answer)) {
      fate = Fate.TRUE;
    }
    count(fate, api, answer);
    ResponseHeaderData responseHeader =
        new ResponseHeaderData().setCorrelationId(header.correlationId());
    return switch (fate) {
      case TRUE, CHANGED -> reply(responseHeader, api, version, answer);
      case GARBLED -> {
        ModelNetwork.Reply truth = reply(responseHeader, api, version, answer);
        yield new ModelNetwork.Reply(garble(truth.answer()), false);
      }
      case LOST_AFTER -> new ModelNetwork.Reply(null, true);
      case SILENT -> new ModelNetwork.Reply(null, false);
      case LOST_BEFORE -> throw new AssertionError(fate);
    };
  }

  private void count(Fate fate, ApiKeys api, Object answer) {
    last.addLast(api + " " + fate + " " + answer);
    if (last.size() > REMEMBERED) {
      last.removeFirst();
    }
    fates.merge(fate, 1, Integer::sum);
    if (fate != Fate.TRUE) {
      changed.merge(api, 1, Integer::sum);
    }
  }

  private Fate fate(ApiKeys api) {
    if (random.nextInt(1000) >= lies) {
      return Fate.TRUE;
    }
    int which = random.nextInt(100);
    if (which < 4) {
      return Fate.SILENT;
    }
    if (which < 12) {
      return Fate.LOST_BEFORE;
    }
    if (which < 20) {
      return Fate.LOST_AFTER;
    }
    return which < 28 || api == ApiKeys.API_VERSIONS ? Fate.GARBLED : Fate.CHANGED;
  }

  static ModelNetwork.Reply reply(
      ResponseHeaderData header, ApiKeys api, short version, ApiMessage answer) {
    ByteBuffer bytes =
        RequestUtils.serialize(header, api.responseHeaderVersion(version), answer, version);
    return new ModelNetwork.Reply(bytes, false);
  }

  /// Cut off, or in answer to another request.
  private ByteBuffer garble(ByteBuffer answer) {
    byte[] bytes = new byte[answer.remaining()];
    answer.get(bytes);
    if (random.nextInt(3) > 0) {
      return ByteBuffer.wrap(Arrays.copyOf(bytes, random.nextInt(bytes.length)));
    }
    bytes[random.nextInt(Integer.BYTES)] ^= (byte) (1 << random.nextInt(7));
    return ByteBuffer.wrap(bytes);
  }

  private record Place(Object of, Field field) {
    Object get() {
      try {
        return field.get(of);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }

    void set(Object value) {
      try {
        field.set(of, value);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
  }

  /// Some fields become others.
  ///
  /// @return whether anything did
  private boolean change(ApiMessage answer) {
    List<Place> places = new ArrayList<>();
    collect(answer, places);
    boolean any = false;
    for (int times = 1 + random.nextInt(2); times > 0; times--) {
      Place place = places.get(random.nextInt(places.size()));
      any |= change(answer, place);
    }
    return any;
  }

  private void collect(Object message, List<Place> places) {
    for (Field field : message.getClass().getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())
          || UNTOUCHED.contains(field.getName())
          || field.getName().startsWith("_")
          || field.getName().equals("next")
          || field.getName().equals("prev")) {
        continue;
      }
      field.setAccessible(true);
      Place place = new Place(message, field);
      places.add(place);
      Object value = place.get();
      if (value instanceof Collection<?> all) {
        for (Object each : all) {
          if (!(each instanceof Integer)) {
            collect(each, places);
          }
        }
      } else if (value instanceof FetchResponseData.EpochEndOffset
          || value instanceof FetchResponseData.LeaderIdAndEpoch) {
        collect(value, places);
      }
    }
  }

  private boolean change(ApiMessage answer, Place place) {
    String name = place.field.getName();
    Object value = place.get();
    Object changed =
        switch (value) {
          case Short error when name.equals("errorCode") -> error(answer, error);
          case Short number -> (short) number(number);
          case Integer ignored when name.equals("partitionIndex") || name.equals("index") ->
              random.nextBoolean() ? -1 : 1000 + random.nextInt(3);
          case Integer epoch when name.equals("leaderEpoch") ->
              Math.min(epoch, (int) number(epoch));
          case Integer ignored when name.equals("port") ->
              List.of(-1, 0, 1, 70_000).get(random.nextInt(4));
          case Integer number -> (int) number(number);
          case Long number -> number(number);
          case String text -> random.nextBoolean() ? "" : text + "?";
          case Uuid ignored -> random.nextBoolean() ? Uuid.ZERO_UUID : Uuid.randomUuid();
          case MemoryRecords records -> damage(records);
          case Collection<?> all -> {
            changeList(all);
            yield null;
          }
          case null, default -> null;
        };
    if (changed != null) {
      place.set(changed);
    }
    return changed != null || value instanceof Collection<?>;
  }

  private short error(ApiMessage answer, short truth) {
    boolean end = answer instanceof org.apache.kafka.common.message.EndTxnResponseData;
    while (true) {
      int error = random.nextInt(-1, HIGHEST_ERROR + 3);
      boolean lie = (end && VERDICTS.contains(error)) || (error == DUPLICATE && truth != 0);
      if (error != 0 && !lie) {
        return (short) error;
      }
    }
  }

  private long number(long truth) {
    return switch (random.nextInt(6)) {
      case 0 -> -1;
      case 1 -> 0;
      case 2 -> truth + 1;
      case 3 -> truth - 1;
      case 4 -> random.nextInt(1_000_000);
      default -> random.nextLong();
    };
  }

  /// What the checksum covers.
  private MemoryRecords damage(MemoryRecords records) {
    byte[] bytes = new byte[records.sizeInBytes()];
    records.buffer().duplicate().get(bytes);
    if (bytes.length > 0) {
      if (random.nextInt(3) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      } else {
        // In the first batch, behind the part of its header that no checksum covers.
        int behind = Math.min(80, 12 + ByteBuffer.wrap(bytes).getInt(8));
        int at = 17 + random.nextInt(behind - 17);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
      }
    }
    return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
  }

  private <T> void changeList(Collection<T> all) {
    if (all instanceof ArrayList<T> list && !list.isEmpty() && random.nextBoolean()) {
      list.add(random.nextInt(list.size() + 1), list.get(random.nextInt(list.size())));
    } else if (random.nextInt(4) == 0) {
      all.clear();
    } else if (!all.isEmpty()) {
      T gone = List.copyOf(all).get(random.nextInt(all.size()));
      all.remove(gone);
    }
  }
}
