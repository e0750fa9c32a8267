package io.actiongovernance.localstack;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;

/** AWS clients with something between them and those who use them. */
public final class Intercepted {
  private Intercepted() {}

  /** Stands around each request of a client. */
  @FunctionalInterface
  public interface Around {
    Object request(SdkRequest request, Proceed proceed) throws Throwable;
  }

  /** Makes the request, and answers with its response. */
  @FunctionalInterface
  public interface Proceed {
    Object with(SdkRequest request) throws Throwable;
  }

  /** The client with this around each of its requests. */
  public static <T> T client(Class<T> type, T client, Around around) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          // A body may follow it.
          boolean request =
              arguments != null && arguments.length > 0 && arguments[0] instanceof SdkRequest;
          if (method.isDefault() && !request) {
            // Forms that take a builder end in the one that takes a request.
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          return request
              ? around.request(
                  (SdkRequest) arguments[0],
                  one -> {
                    Object[] all = arguments.clone();
                    all[0] = one;
                    return invoke(client, method, all);
                  })
              : invoke(client, method, arguments);
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object client, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
