package dev.millrace.api;

/// A stream in two parts: each record is in one of them. Predicates in order, each record to the
/// first that holds:
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
