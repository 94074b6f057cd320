package dev.millrace.internal.engine.topology;

import java.util.List;

/// Nodes in another graph.
final class NodeCopy {
  private NodeCopy() {}

  /// The same node with another id and other inputs, as many as it had.
  static Node of(Node node, int id, List<Node> inputs) {
    return switch (node) {
      case Node.Input input ->
          new Node.Input(id, input.source(), input.keyed(), input.table(), input.broadcast());
      case Node.Filter filter -> new Node.Filter(id, inputs.getFirst(), filter.predicate());
      case Node.Map map -> new Node.Map(id, inputs.getFirst(), map.mapper(), map.keepsKey());
      case Node.FlatMap flatMap ->
          new Node.FlatMap(id, inputs.getFirst(), flatMap.mapper(), flatMap.keepsKey());
      case Node.Route route -> new Node.Route(id, inputs.getFirst(), route.route(), route.topics());
      case Node.Sample sample ->
          new Node.Sample(id, inputs.getFirst(), sample.share(), sample.by(), sample.serde());
      case Node.Peek peek -> new Node.Peek(id, inputs.getFirst(), peek.consumer());
      case Node.Merge merge -> new Node.Merge(id, List.copyOf(inputs), merge.meeting());
      case Node.InTime _ -> new Node.InTime(id, inputs.getFirst());
      case Node.Versions versions -> new Node.Versions(id, inputs.getFirst(), versions.view());
      case Node.Additions _ -> new Node.Additions(id, inputs.getFirst());
      case Node.Conflate _ -> new Node.Conflate(id, inputs.getFirst());
      case Node.Combine combine ->
          new Node.Combine(
              id,
              inputs.getFirst(),
              combine.exchange(),
              combine.key(),
              combine.keySerde(),
              combine.operator(),
              combine.combiner());
      case Node.WithMetadata metadata ->
          new Node.WithMetadata(id, inputs.getFirst(), metadata.keySerde());
      case Node.Exchange exchange ->
          new Node.Exchange(
              id,
              exchange.name(),
              inputs.getFirst(),
              exchange.key(),
              exchange.reads(),
              exchange.keySerde(),
              exchange.valueSerde(),
              exchange.reason(),
              exchange.parameters());
      case Node.Stateful stateful ->
          new Node.Stateful(
              id,
              stateful.name(),
              stateful.kind(),
              List.copyOf(inputs),
              stateful.keySerde(),
              stateful.declared(),
              stateful.values());
      case Node.Output output ->
          new Node.Output(id, inputs.getFirst(), output.sink(), output.keySerde());
    };
  }
}
