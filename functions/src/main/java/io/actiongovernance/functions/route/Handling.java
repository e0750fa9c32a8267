package io.actiongovernance.functions.route;

import io.actiongovernance.functions.contract.InputReader;
import io.actiongovernance.functions.contract.RequestParts;
import java.util.function.Function;

/** A handler, and the reader of its declared input. Thread-safe. */
record Handling<I>(RouteHandler<I> handler, InputReader<I> reader) {
  static Handling<?> of(Route route, RouteHandler<?> handler) {
    return of(route, handler, RouteHandler.inputOf(handler.getClass()));
  }

  @SuppressWarnings("unchecked")
  private static <I> Handling<I> of(Route route, RouteHandler<?> handler, Class<I> input) {
    return new Handling<>(
        (RouteHandler<I>) handler,
        InputReader.of(input, route.pathParameters(), route.method().reads()));
  }

  /** Reads the input now, and returns a function that handles it once there is a call. */
  Function<Call, Reply> input(RequestParts request) {
    I input = reader.read(request);
    return call -> handler.handle(call, input);
  }
}
