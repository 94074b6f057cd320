package dev.millrace.internal.beam.portable.stage;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.operators.KeyedWork;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.OrderedListRange;
import org.apache.beam.runners.core.StateNamespace;
import org.apache.beam.runners.core.StateNamespaces;
import org.apache.beam.runners.core.StateTags;
import org.apache.beam.runners.fnexecution.wire.ByteStringCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.MultimapState;
import org.apache.beam.sdk.state.OrderedListState;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.joda.time.Instant;

/// The states of a stage's keys. A harness knows three kinds, of which it makes all others: bags,
/// multimaps and ordered lists. Here their values are bytes.
final class UserStates {
  private static final ByteStringCoder BYTES = ByteStringCoder.of();

  private final KeyedWork work;
  private final Coder<BoundedWindow> windows;
  private final List<String> names;

  @SuppressWarnings("unchecked")
  UserStates(StageSpec spec, KeyedWork work) {
    this.work = work;
    windows = (Coder<BoundedWindow>) spec.windowing().getWindowFn().windowCoder();
    names =
        spec.stage().getUserStates().stream()
            .map(each -> StageSpec.name(each.transform().getId(), each.localName()))
            .toList();
  }

  /// The place of a state.
  ///
  /// @param name of the state
  /// @param key as bytes
  /// @param window as bytes
  record Place(String name, ByteString key, ByteString window) {
    Place(String transform, String local, ByteString key, ByteString window) {
      this(StageSpec.name(transform, local), key, window);
    }
  }

  private StateNamespace goTo(Place place) throws IOException {
    work.key(Bytes.of(place.key().toByteArray()));
    return StateNamespaces.window(windows, windows.decode(place.window().newInput()));
  }

  /// Returns a bag, of which each part was appended at once.
  BagState<ByteString> bag(Place place) throws IOException {
    return work.state().state(goTo(place), StateTags.bag(place.name(), BYTES));
  }

  /// Returns a multimap, of which each value was appended at once.
  MultimapState<ByteString, ByteString> multimap(Place place) throws IOException {
    return multimap(goTo(place), place.name());
  }

  private MultimapState<ByteString, ByteString> multimap(StateNamespace window, String name) {
    return work.state().state(window, StateTags.multimap(name, BYTES, BYTES));
  }

  private OrderedListState<ByteString> list(Place place) throws IOException {
    return work.state().state(goTo(place), StateTags.orderedList(place.name(), BYTES));
  }

  /// Returns the elements of a list whose numbers are in a range.
  ByteString read(Place place, OrderedListRange range) throws IOException {
    ByteString.Output out = ByteString.newOutput();
    for (TimestampedValue<ByteString> each :
        list(place).readRange(instant(range.getStart()), instant(range.getEnd()))) {
      VarLongCoder.of().encode(each.getTimestamp().getMillis(), out);
      BYTES.encode(each.getValue(), out);
    }
    return out.toByteString();
  }

  /// Adds elements to a list, each with its number before it.
  void append(Place place, ByteString elements) throws IOException {
    OrderedListState<ByteString> list = list(place);
    InputStream in = elements.newInput();
    while (in.available() > 0) {
      long number = VarLongCoder.of().decode(in);
      list.add(TimestampedValue.of(BYTES.decode(in), instant(number)));
    }
  }

  /// Deletes the elements of a list whose numbers are in a range.
  void clear(Place place, OrderedListRange range) throws IOException {
    list(place).clearRange(instant(range.getStart()), instant(range.getEnd()));
  }

  private static Instant instant(long number) {
    return Instant.ofEpochMilli(number);
  }

  /// Deletes all states of the key that the work is at in a window. Of whatever kind they are, all
  /// that they have stands where a multimap has it.
  void clear(StateNamespace window) {
    names.forEach(name -> multimap(window, name).clear());
  }
}
