package dev.millrace.api;

/// A stream that is divided in two: each record is in one of them. To divide it by several
/// predicates, each record to the first one that holds, divide the rest again:
///
/// ```java
/// var large = orders.branch(order -> order.amount() > 1_000);
/// var foreign = large.rest().branch(order -> order.isForeign());
/// large.matching().to(reviews);
/// foreign.matching().to(customs);
/// foreign.rest().to(shipments);
/// ```
///
/// @param matching the records for which the predicate holds
/// @param rest all others
/// @param <S> the type of the stream
public record Branches<S>(S matching, S rest) {}
