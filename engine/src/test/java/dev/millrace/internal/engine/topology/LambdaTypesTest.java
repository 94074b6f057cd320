package dev.millrace.internal.engine.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.function.Reducer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Every shape of function that the compiler makes, as an application would write it: where the
/// type is inferred, it is so through [#mapped], whose signature is the one of the API's own
/// methods.
class LambdaTypesTest {
  record Profile(String member, int age, List<String> tags, Map<String, List<Integer>> counts) {
    static List<Instant> visits(Profile profile) {
      return List.of(Instant.ofEpochSecond(profile.age));
    }

    static <T> List<T> none(Profile profile) {
      return new ArrayList<>(profile.age);
    }

    static <T> T first(List<T> values) {
      return values.getFirst();
    }

    static String joined(List<String> values) {
      return String.join(",", values);
    }

    <T> Optional<T> maybe() {
      return Optional.empty();
    }

    ArrayList<Long> longs() {
      return new ArrayList<>();
    }
  }

  /// The signature of `Stream.map`.
  private static <V, R> Mapper<? super V, ? extends R> mapped(
      Class<V> input, Mapper<? super V, ? extends R> mapper) {
    assertFalse(input.isPrimitive());
    return mapper;
  }

  /// The signature of `Stream.flatMap`.
  private static <V, R> Mapper<? super V, ? extends Iterable<R>> flat(
      Class<V> input, Mapper<? super V, ? extends Iterable<R>> mapper) {
    assertFalse(input.isPrimitive());
    return mapper;
  }

  private static void assertKnown(String expected, ShownType found) {
    assertTrue(found.isKnown(), found::reason);
    assertEquals(expected, String.valueOf(found.type()).replaceFirst("^(class|interface) ", ""));
  }

  private static void assertUnknown(String reason, ShownType found) {
    assertEquals(null, found.type());
    assertEquals(reason, found.reason());
  }

  @Test
  void aLambdaShowsItsClasses() {
    Mapper<Profile, String> mapper = p -> p.member() + p.age();
    assertKnown("java.lang.String", LambdaTypes.result(mapper));
    assertKnown(Profile.class.getName(), LambdaTypes.parameter(mapper, 0));
    assertKnown("java.lang.String", LambdaTypes.result(mapped(Profile.class, p -> p.member())));
    assertKnown("java.lang.Integer", LambdaTypes.result(mapped(Profile.class, p -> p.age())));
    assertKnown("java.lang.Integer", LambdaTypes.result(mapped(Profile.class, p -> 2 * p.age())));
    assertKnown("[J", LambdaTypes.result(mapped(Profile.class, p -> new long[p.age()])));
  }

  @Test
  void aLambdaWithABlockOrCapturedValuesShowsTheSame() {
    int captured = Integer.parseInt("4");
    long other = captured;
    Mapper<Profile, Long> mapper =
        p -> {
          long sum = (long) p.age() + captured;
          return sum + other;
        };
    assertKnown("java.lang.Long", LambdaTypes.result(mapper));
    assertKnown(Profile.class.getName(), LambdaTypes.parameter(mapper, 0));
  }

  @Test
  void aLambdaDoesNotShowTypeArguments() {
    assertUnknown(
        "the lambda shows only java.util.List without its type arguments",
        LambdaTypes.result(mapped(Profile.class, p -> p.tags())));
    assertUnknown(
        "the lambda shows only java.lang.Iterable without its type arguments",
        LambdaTypes.resultElement(flat(Profile.class, p -> p.tags())));
    Mapper<List<String>, Integer> size = values -> values.size();
    assertUnknown(
        "the lambda shows only java.util.List without its type arguments",
        LambdaTypes.parameter(size, 0));
    assertKnown("java.lang.Integer", LambdaTypes.result(size));
  }

  @Test
  void objectIsNoType() {
    Mapper<Object, Object> same = x -> x;
    assertUnknown("the lambda shows only java.lang.Object", LambdaTypes.result(same));
    assertUnknown("the lambda shows only java.lang.Object", LambdaTypes.parameter(same, 0));
  }

  private static <T> Mapper<T, T> identity() {
    return x -> x;
  }

  @Test
  void aTypeVariableIsNoType() {
    Mapper<String, String> mapper = identity();
    assertUnknown("the lambda shows only java.lang.Object", LambdaTypes.result(mapper));
  }

  @Test
  void aReferenceToAMethodShowsItsTypeArguments() {
    assertKnown(
        "java.util.List<java.lang.String>",
        LambdaTypes.result(mapped(Profile.class, Profile::tags)));
    assertKnown("java.lang.String", LambdaTypes.resultElement(flat(Profile.class, Profile::tags)));
    assertKnown(
        "java.util.Map<java.lang.String, java.util.List<java.lang.Integer>>",
        LambdaTypes.result(mapped(Profile.class, Profile::counts)));
    assertKnown("java.lang.Integer", LambdaTypes.result(mapped(Profile.class, Profile::age)));
    assertKnown(
        Profile.class.getName(), LambdaTypes.parameter(mapped(Profile.class, Profile::tags), 0));
  }

  @Test
  void aReferenceToAStaticMethodShowsItsTypeArguments() {
    assertKnown(
        "java.util.List<java.time.Instant>",
        LambdaTypes.result(mapped(Profile.class, Profile::visits)));
    Mapper<List<String>, String> joined = Profile::joined;
    assertKnown("java.util.List<java.lang.String>", LambdaTypes.parameter(joined, 0));
    assertKnown("java.lang.String", LambdaTypes.result(joined));
  }

  @Test
  void whatAMethodLeavesOpenIsNotKnown() {
    Mapper<Profile, List<String>> none = Profile::none;
    assertUnknown(
        "the method referred to shows only java.util.List of the type variable T",
        LambdaTypes.result(none));
    Mapper<Profile, Optional<String>> maybe = Profile::maybe;
    assertFalse(LambdaTypes.result(maybe).isKnown());
    Mapper<List<String>, String> first = Profile::first;
    assertKnown("java.lang.String", LambdaTypes.result(first));
    assertUnknown(
        "the method referred to shows only java.util.List of the type variable T",
        LambdaTypes.parameter(first, 0));
  }

  private static final class Lookup {
    final Map<String, Set<Long>> found = new HashMap<>();

    Set<Long> of(String name) {
      return found.getOrDefault(name, Set.of());
    }

    String pair(String first, String second) {
      return first + second;
    }
  }

  @Test
  void aReferenceToAMethodOfAnObjectShowsItsTypeArguments() {
    Lookup lookup = new Lookup();
    assertKnown(
        "java.util.Set<java.lang.Long>", LambdaTypes.result(mapped(String.class, lookup::of)));
    assertKnown("java.lang.String", LambdaTypes.parameter(mapped(String.class, lookup::of), 0));
    Reducer<String> reducer = lookup::pair;
    assertKnown("java.lang.String", LambdaTypes.parameter(reducer, 0));
    assertKnown("java.lang.String", LambdaTypes.parameter(reducer, 1));
  }

  static class Base<T> {
    List<T> all() {
      return List.of();
    }

    T one() {
      throw new IllegalStateException("only its type is read");
    }
  }

  static class Numbers extends Base<Long> {}

  static class Deep extends Numbers {}

  @Test
  void inheritedMethodsShowWhatTheSubclassSays() {
    assertKnown(
        "java.util.List<java.lang.Long>", LambdaTypes.result(mapped(Deep.class, Deep::all)));
    assertKnown("java.lang.Long", LambdaTypes.result(mapped(Deep.class, Deep::one)));
    assertKnown("java.lang.Long", LambdaTypes.resultElement(flat(Deep.class, Deep::all)));
    Deep deep = new Deep();
    Initializer<List<Long>> bound = deep::all;
    assertKnown("java.util.List<java.lang.Long>", LambdaTypes.result(bound));
    Mapper<Base<String>, List<String>> open = Base::all;
    assertFalse(LambdaTypes.result(open).isKnown());
  }

  static final class Tags extends ArrayList<String> {
    Tags() {}

    Tags(Profile profile) {
      super(profile.tags());
    }
  }

  @Test
  void aReferenceToAConstructorShowsTheClass() {
    Initializer<Tags> initial = Tags::new;
    assertKnown(Tags.class.getName(), LambdaTypes.result(initial));
    assertKnown(Tags.class.getName(), LambdaTypes.result(mapped(Profile.class, Tags::new)));
    assertKnown("java.lang.String", LambdaTypes.resultElement(flat(Profile.class, Tags::new)));
    Initializer<List<String>> raw = ArrayList::new;
    assertFalse(LambdaTypes.result(raw).isKnown());
  }

  @Test
  void aTypeIsNotNarrowerThanTheFunctionSays() {
    Mapper<Profile, Object> wide = Profile::member;
    assertFalse(LambdaTypes.result(wide).isKnown(), "others may give what is no String");
    Mapper<Profile, CharSequence> sequence = Profile::member;
    assertKnown("java.lang.CharSequence", LambdaTypes.result(sequence));
    Mapper<Profile, List<Long>> list = Profile::longs;
    assertKnown("java.util.List<java.lang.Long>", LambdaTypes.result(list));
    Mapper<Profile, ? extends Iterable<Long>> iterable = Profile::longs;
    assertKnown("java.lang.Iterable<java.lang.Long>", LambdaTypes.result(iterable));
  }

  @Test
  void otherFunctionsOfTheApiAreRead() {
    Predicate<Profile> condition = p -> p.age() > 3;
    assertKnown(Profile.class.getName(), LambdaTypes.parameter(condition, 0));
    assertKnown("java.lang.Boolean", LambdaTypes.result(condition));
    EventTime<Profile> time = p -> Instant.EPOCH;
    assertKnown("java.time.Instant", LambdaTypes.result(time));
    Aggregator<long[], Profile> folder =
        (sum, p) -> {
          sum[0] += p.age();
          return sum;
        };
    assertKnown("[J", LambdaTypes.parameter(folder, 0));
    assertKnown(Profile.class.getName(), LambdaTypes.parameter(folder, 1));
    Initializer<Map<String, Long>> map = () -> Map.of();
    assertFalse(LambdaTypes.result(map).isKnown());
    Reducer<Long> sum = Long::sum;
    assertKnown("java.lang.Long", LambdaTypes.parameter(sum, 0));
  }

  interface ToTags extends Mapper<Profile, List<String>> {}

  interface ToMany<T> extends Mapper<Profile, Set<T>> {}

  interface ToStrings extends ToMany<String> {}

  @Test
  void anInterfaceOfTheApplicationSaysTheTypesOfItsLambdas() {
    ToTags tags = p -> p.tags();
    assertKnown("java.util.List<java.lang.String>", LambdaTypes.result(tags));
    assertKnown(Profile.class.getName(), LambdaTypes.parameter(tags, 0));
    ToStrings strings = p -> Set.of(p.member());
    assertKnown("java.util.Set<java.lang.String>", LambdaTypes.result(strings));
    assertKnown("java.lang.String", LambdaTypes.resultElement(strings));
    ToMany<String> open = p -> Set.of(p.member());
    assertUnknown(
        "the lambda shows only java.util.Set without its type arguments", LambdaTypes.result(open));
  }

  private static final class Named extends Middle<Integer> {
    @Override
    public List<Integer> map(Profile value) {
      return List.of(value.age());
    }
  }

  private abstract static class Middle<N extends Number> implements Mapper<Profile, List<N>> {}

  private static final class Open<T> implements Mapper<T, List<T>> {
    @Override
    public List<T> map(T value) {
      return List.of(value);
    }
  }

  @Test
  void classesThatImplementAFunctionSayTheirTypes() {
    assertKnown("java.util.List<java.lang.Integer>", LambdaTypes.result(new Named()));
    assertKnown("java.lang.Integer", LambdaTypes.resultElement(new Named()));
    assertKnown(Profile.class.getName(), LambdaTypes.parameter(new Named(), 0));
    Mapper<Profile, Map<String, int[]>> anonymous =
        new Mapper<>() {
          @Override
          public Map<String, int[]> map(Profile value) {
            return Map.of();
          }
        };
    assertKnown("java.util.Map<java.lang.String, int[]>", LambdaTypes.result(anonymous));
    Mapper<String, List<String>> open = new Open<>();
    assertUnknown(
        Open.class.getName() + " shows only java.util.List of the type variable T",
        LambdaTypes.result(open));
  }

  @Test
  void wildcardsStandForTheirBounds() {
    assertKnown(
        "java.lang.CharSequence", LambdaTypes.resultElement(flat(Holder.class, Holder::sequences)));
    assertFalse(LambdaTypes.resultElement(flat(Holder.class, Holder::anything)).isKnown());
  }

  interface Holder {
    List<? extends CharSequence> sequences();

    List<?> anything();
  }

  static final class Totals implements Processor<String, Profile, Map<String, Long>> {
    @Override
    public void process(Records<String, Profile> records, Output<Map<String, Long>> out) {}
  }

  static class Echo<V> implements Processor<String, V, V> {
    @Override
    public void process(Records<String, V> records, Output<V> out) {}
  }

  static final class TextEcho extends Echo<String> {
    TextEcho() {}

    TextEcho(int size) {
      assertTrue(size > 0);
    }

    static Processor<String, String, Optional<String>> made() {
      throw new AssertionError("no processor is made to find out");
    }
  }

  @Test
  void processorsSayTheirResults() {
    Initializer<Processor<String, Profile, Map<String, Long>>> totals = Totals::new;
    assertKnown(
        "java.util.Map<java.lang.String, java.lang.Long>", LambdaTypes.processorResult(totals));
    Initializer<Processor<String, String, String>> echo = TextEcho::new;
    assertKnown("java.lang.String", LambdaTypes.processorResult(echo));
    Initializer<Processor<String, String, Optional<String>>> made = TextEcho::made;
    assertKnown("java.util.Optional<java.lang.String>", LambdaTypes.processorResult(made));
    Initializer<Processor<String, String, String>> anonymous =
        new Initializer<>() {
          @Override
          public Processor<String, String, String> get() {
            throw new AssertionError("no processor is made to find out");
          }
        };
    assertKnown("java.lang.String", LambdaTypes.processorResult(anonymous));
  }

  @Test
  void aLambdaHidesTheProcessorItMakes() {
    Initializer<Processor<String, String, String>> supplier = () -> new TextEcho(3);
    assertUnknown(
        "the lambda shows only dev.millrace.api.Processor without its type arguments",
        LambdaTypes.processorResult(supplier));
    Initializer<Processor<String, String, String>> open = Echo::new;
    assertUnknown(
        Echo.class.getName() + " shows only the type variable V",
        LambdaTypes.processorResult(open));
  }

  @Test
  void typeArgumentsAreFollowedThroughTheHierarchy() {
    assertKnown(
        "java.util.Map<java.lang.String, java.lang.Long>",
        LambdaTypes.typeArgument(Totals.class, Processor.class, 2));
    assertKnown("java.lang.String", LambdaTypes.typeArgument(TextEcho.class, Processor.class, 1));
    assertUnknown(
        Echo.class.getName() + " shows only the type variable V",
        LambdaTypes.typeArgument(Echo.class, Processor.class, 1));
    assertUnknown(
        "java.lang.String says no type arguments of dev.millrace.api.Processor",
        LambdaTypes.typeArgument(String.class, Processor.class, 0));
  }
}
