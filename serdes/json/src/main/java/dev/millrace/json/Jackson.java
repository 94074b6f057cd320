package dev.millrace.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/// Holds the mapper of this process, after a check that Jackson works.
///
/// Jackson's annotations are one artifact for its versions 2 and 3, so a build that has an older
/// Jackson 2 for something else (Avro, Spring Boot 3, clients of a schema registry) often gets
/// annotations that are too old for Jackson 3. That shows as a missing class, at the start or at
/// the first value; here it is found when the first serde is made, and said in words.
final class Jackson {
  /// The annotations that the version of Jackson needs for which this module is built.
  static final String ANNOTATIONS = "com.fasterxml.jackson.core:jackson-annotations:2.22";

  private Jackson() {}

  /// Returns the mapper.
  ///
  /// @throws InvalidTopologyException if the class path has parts of Jackson that do not fit
  static JsonMapper mapper() {
    try {
      return Held.MAPPER;
    } catch (LinkageError e) {
      throw new InvalidTopologyException(misfit(e), e);
    }
  }

  private static final class Held {
    static final JsonMapper MAPPER = tried(make());
  }

  private static JsonMapper make() {
    return JsonMapper.builder(
            JsonFactory.builder()
                // Bytes are UTF-8; nobody guesses.
                .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
                .build())
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
        .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        // Allows no class that a text may name.
        .polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build())
        .build();
  }

  /// A value with an annotated name, with which Jackson is tested once.
  record Sample(@JsonProperty("n") int number) {}

  /// Writes and reads a value, so that a class that is missing is missed now.
  private static JsonMapper tried(JsonMapper mapper) {
    JsonSerde<Sample> serde =
        new JsonSerde<>(Sample.class, mapper.constructType(Sample.class), mapper);
    BytesWriter out = new BytesWriter();
    serde.write(new Sample(1), out);
    if (serde.read(Bytes.of(out.toByteArray())).number() != 1) {
      throw new AssertionError("Jackson does not read what it wrote.");
    }
    return mapper;
  }

  private static String misfit(LinkageError e) {
    Throwable first = e;
    while (first instanceof ExceptionInInitializerError && first.getCause() != null) {
      first = first.getCause();
    }
    List<String> jars = new ArrayList<>();
    for (Class<?> each : List.of(JsonProperty.class, JsonFactory.class, JsonMapper.class)) {
      jars.add(jar(each));
    }
    return "Json.json(...) cannot be used: the parts of Jackson on the class path are incompatible. They are %s; %s is missing."
            .formatted(String.join(", ", jars), first.getMessage())
        + "\n"
        + "Another dependency of the build requires an older part. In dependencyManagement, import"
        + " dev.millrace:millrace-bom before other BOMs, or declare %s.".formatted(ANNOTATIONS);
  }

  /// Returns the name of the jar that a class is from.
  private static String jar(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL place = source == null ? null : source.getLocation();
    Path file = place == null ? null : Path.of(place.getPath()).getFileName();
    return file == null ? type.getName() : file.toString();
  }
}
