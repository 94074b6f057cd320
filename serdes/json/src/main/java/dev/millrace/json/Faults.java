package dev.millrace.json;

import dev.millrace.api.serde.SerdeException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/// Describes an error in a text without any of the text: Jackson's own messages contain values,
/// which may be secret or long. For that reason its exceptions are not kept as causes either.
final class Faults {
  private Faults() {}

  static SerdeException reading(JacksonException e) {
    return new SerdeException(place(e) + fault(e), causeOf(e));
  }

  static SerdeException writing(JacksonException e) {
    String field = field(e.getPath());
    return new SerdeException(
        (field.isEmpty() ? "" : "field " + field + ": ") + "cannot be written as JSON",
        e.getCause());
  }

  private static String fault(JacksonException e) {
    return switch (e) {
      case ValueInstantiationException _ -> "the constructor rejected the value";
      case InvalidTypeIdException _ -> "the type name is unknown";
      case MismatchedInputException mismatch ->
          mismatch.getTargetType() == null
              ? "the value does not fit the type"
              : "expected " + mismatch.getTargetType().getSimpleName();
      case InputCoercionException coercion ->
          "the number is out of the range of " + coercion.getTargetType().getSimpleName();
      case UnexpectedEndOfInputException _ -> "the text ends inside a value";
      case StreamConstraintsException _ -> "the text exceeds a limit of size or nesting";
      case StreamReadException _ -> "this is not JSON";
      default -> "the value cannot be read";
    };
  }

  /// Returns the application's own exception, from a constructor.
  private static @Nullable Throwable causeOf(JacksonException e) {
    return e instanceof ValueInstantiationException ? e.getCause() : null;
  }

  private static String place(JacksonException e) {
    TokenStreamLocation location = e.getLocation();
    String field = field(e.getPath());
    StringBuilder place = new StringBuilder();
    if (location != null && location.getLineNr() > 0) {
      place
          .append("line ")
          .append(location.getLineNr())
          .append(", column ")
          .append(location.getColumnNr());
    }
    if (!field.isEmpty()) {
      place.append(place.isEmpty() ? "field " : ", field ").append(field);
    }
    return place.isEmpty() ? "" : place.append(": ").toString();
  }

  /// Returns the way to the value: `lines[2].price`, with `[…]` for the key of a map.
  private static String field(List<JacksonException.Reference> path) {
    StringBuilder field = new StringBuilder();
    for (JacksonException.Reference step : path) {
      if (step.from() instanceof Map) {
        // The key is a part of the text.
        field.append("[…]");
      } else if (step.getPropertyName() == null) {
        field.append('[').append(step.getIndex()).append(']');
      } else {
        field.append(field.isEmpty() ? "" : ".").append(step.getPropertyName());
      }
    }
    return field.toString();
  }
}
