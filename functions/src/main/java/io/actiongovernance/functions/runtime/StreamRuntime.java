package io.actiongovernance.functions.runtime;

import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.functions.route.StreamFunction;
import io.actiongovernance.functions.settings.Start;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a function that streams its answers. The managed Java runtime buffers whole answers.
 * The script {@code stream-runtime}, which {@code AWS_LAMBDA_EXEC_WRAPPER} names, therefore starts
 * this loop in its place. It answers one invocation after the other until the process ends.
 */
public final class StreamRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(StreamRuntime.class);

  private final RuntimeApi api;
  private final boolean snapStart;

  StreamRuntime(RuntimeApi api, boolean snapStart) {
    this.api = api;
    this.snapStart = snapStart;
  }

  interface Handler {
    StreamBody answer(byte[] event);
  }

  /** Entry point for Lambda. Ends only on failure, with exit code 1. */
  public static void main(String[] arguments) throws IOException {
    try (RuntimeApi api = new RuntimeApi(System.getenv("AWS_LAMBDA_RUNTIME_API"))) {
      boolean snapStart = Start.of(System.getenv()) == Start.SNAPSHOT;
      new StreamRuntime(api, snapStart)
          .run(
              () -> {
                StreamFunction function = new StreamFunction(Composition.onAws(), Routes.all());
                return function::answer;
              });
    }
  }

  /**
   * Creates the handler, and answers invocations as long as there are any.
   *
   * @throws IOException if the Runtime API fails, or after reporting that the function cannot be
   *     created
   */
  void run(Supplier<Handler> made) throws IOException {
    Handler handler = made(made);
    if (snapStart) {
      restore();
    }
    while (true) {
      RuntimeApi.Invocation invocation = api.next();
      invoke(handler, invocation);
    }
  }

  private Handler made(Supplier<Handler> made) throws IOException {
    try {
      return made.get();
    } catch (RuntimeException | LinkageError e) {
      api.initFailed(e);
      throw new IOException("The function could not be made.", e);
    }
  }

  private void restore() throws IOException {
    try {
      api.awaitRestore();
    } catch (IOException e) {
      api.restoreFailed(e);
      throw e;
    }
  }

  private void invoke(Handler handler, RuntimeApi.Invocation invocation) throws IOException {
    StreamBody answer;
    try {
      answer = handler.answer(invocation.event());
    } catch (RuntimeException | Error e) {
      LOG.error("{} failed", invocation.requestId(), e);
      api.failed(invocation.requestId(), e);
      return;
    }
    try (answer) {
      api.respond(invocation.requestId(), answer);
    } catch (IOException e) {
      // Lambda has given up this invocation, and will send another one or end the process.
      LOG.warn("The answer of {} was cut short", invocation.requestId(), e);
    }
  }
}
