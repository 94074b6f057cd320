package dev.millrace.api.serde;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The headers of one record, in order; there may be several of one name. Valid during the call it
/// is given to.
public final class RecordHeaders {
  private final List<Header> headers = new ArrayList<>();

  /// A name and what is said under it.
  ///
  /// @param value not to be changed; null if there is only the name
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  public record Header(String name, byte @Nullable [] value) {}

  /// All of them.
  public List<Header> all() {
    return List.copyOf(headers);
  }

  public boolean isEmpty() {
    return headers.isEmpty();
  }

  /// The value of the last header of that name; null if there is none, or it has no value.
  public byte @Nullable [] last(String name) {
    for (Header header : headers.reversed()) {
      if (header.name.equals(name)) {
        return header.value;
      }
    }
    return null;
  }

  /// Adds a header after the others.
  public void add(String name, byte @Nullable [] value) {
    headers.add(new Header(name, value));
  }

  /// Takes away all headers of that name.
  public void remove(String name) {
    headers.removeIf(header -> header.name.equals(name));
  }

  /// Takes away all headers.
  public void clear() {
    headers.clear();
  }
}
