/// A shop: orders, payments, shipments and products, and what the shop wants to know of them.
/// [dev.millrace.examples.shop.Shop] is the application, [dev.millrace.examples.shop.Traffic] draws
/// what happens in the shop.
@NullMarked
package dev.millrace.examples.shop;

import org.jspecify.annotations.NullMarked;
