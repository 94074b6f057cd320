package dev.millrace.examples.shop;

/// An order that was paid for in time.
public record PaidOrder(Order order, Payment payment) {}
