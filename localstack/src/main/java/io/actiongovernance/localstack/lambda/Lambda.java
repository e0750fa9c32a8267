package io.actiongovernance.localstack.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.serialization.factories.JacksonFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A function, invoked in the same way as by the managed runtime. Event and answer are JSON, through
 * the runtime's own serialisation. An invocation that exceeds the timeout fails. Thread-safe if its
 * handler is.
 */
public final class Lambda {
  /** Maximum size of an answer in bytes, as on AWS. */
  private static final int LARGEST_ANSWER = 6_291_556;

  private final String name;
  private final Duration timeout;
  private final Code code;

  /**
   * @param handler an instance of a class that declares its types, which a lambda expression does
   *     not
   */
  public Lambda(String name, Duration timeout, RequestHandler<?, ?> handler) {
    this(name, timeout, serialised(handler));
  }

  private Lambda(String name, Duration timeout, Code code) {
    this.name = name;
    this.timeout = timeout;
    this.code = code;
  }

  /** Returns a function whose code runs elsewhere. */
  public static Lambda running(String name, Duration timeout, Code code) {
    return new Lambda(name, timeout, code);
  }

  /** The code of a function. It takes an event and returns its answer, both as JSON. */
  @FunctionalInterface
  public interface Code {
    byte[] run(byte[] event, Context context) throws Exception;
  }

  public static final class InvocationFailed extends Exception {
    private final String errorType;

    InvocationFailed(String errorType, String message, Throwable cause) {
      super(message, cause);
      this.errorType = errorType;
    }

    /**
     * Error type as the runtime reports it: the class of the handler's exception, {@code
     * Function.ResponseSizeTooLarge} or {@code Sandbox.Timedout}.
     */
    public String errorType() {
      return errorType;
    }

    public boolean timedOut() {
      return getCause() instanceof TimeoutException;
    }
  }

  public String name() {
    return name;
  }

  public Duration timeout() {
    return timeout;
  }

  /**
   * Runs the handler on its own thread, as an invocation of the function.
   *
   * @throws InvocationFailed if the handler threw, answered too much or took too long; in the last
   *     case it is interrupted, but may continue for a while
   */
  public byte[] invoke(byte[] event) throws InvocationFailed, InterruptedException {
    String requestId = UUID.randomUUID().toString();
    Context context = new InvocationContext(name, requestId, System.nanoTime() + timeout.toNanos());
    FutureTask<byte[]> invocation = new FutureTask<>(() -> code.run(event, context));
    Thread thread = Thread.ofVirtual().name(name + "-" + requestId).start(invocation);
    try {
      byte[] answer = invocation.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (answer.length > LARGEST_ANSWER) {
        String problem = "Response payload size exceeded maximum allowed payload size.";
        throw new InvocationFailed(
            "Function.ResponseSizeTooLarge", problem, new IllegalStateException(problem));
      }
      return answer;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new InvocationFailed(
          cause.getClass().getName(), String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new InvocationFailed(
          "Sandbox.Timedout", "%s Task timed out after %s".formatted(requestId, timeout), e);
    }
  }

  @SuppressWarnings("unchecked") // the event is deserialised to what the handler's signature names
  private static Code serialised(RequestHandler<?, ?> handler) {
    RequestHandler<Object, Object> any = (RequestHandler<Object, Object>) handler;
    Method method = handleRequest(handler.getClass());
    PojoSerializer<Object> input = serializer(method.getParameterTypes()[0]);
    PojoSerializer<Object> output = serializer(method.getReturnType());
    return (event, context) -> {
      Object answer = any.handleRequest(input.fromJson(new ByteArrayInputStream(event)), context);
      ByteArrayOutputStream json = new ByteArrayOutputStream();
      output.toJson(answer, json);
      return json.toByteArray();
    };
  }

  private static Method handleRequest(Class<?> handler) {
    return Arrays.stream(handler.getMethods())
        .filter(method -> method.getName().equals("handleRequest"))
        .filter(method -> !method.isBridge() && method.getParameterCount() == 2)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(handler + " handles no requests."));
  }

  /**
   * Creates serializers one at a time. The runtime, which has one function per process, registers
   * its modules for dates with a mapper that all serializers share. If two registrations are
   * concurrent, one is lost permanently.
   */
  @SuppressWarnings("unchecked") // a serializer of the type, used for that type only
  private static synchronized PojoSerializer<Object> serializer(Class<?> type) {
    return LambdaEventSerializers.isLambdaSupportedEvent(type.getName())
        ? (PojoSerializer<Object>) LambdaEventSerializers.serializerFor(type, type.getClassLoader())
        : (PojoSerializer<Object>) JacksonFactory.getInstance().getSerializer(type);
  }
}
