package io.actiongovernance.functions.route;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A handler: it takes the input, calls one use case, and returns the reply. Stateless and
 * thread-safe. The pipeline does everything else, including reading the input.
 *
 * @param <I> the record that the pipeline fills from the request, by its components
 */
public interface RouteHandler<I> {
  /** Answers an admitted request; may throw {@link io.actiongovernance.outcome.Problem}. */
  Reply handle(Call call, I input);

  /** Returns the input type that a handler type or one of its superclasses declares. */
  static Class<?> inputOf(Class<?> handler) {
    for (Class<?> own = handler; own != null; own = own.getSuperclass()) {
      for (Type each : own.getGenericInterfaces()) {
        if (each instanceof ParameterizedType type && type.getRawType() == RouteHandler.class) {
          return (Class<?>) type.getActualTypeArguments()[0];
        }
      }
    }
    throw new IllegalArgumentException(handler + " declares no input.");
  }
}
