package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.lambda.Functions;
import io.actiongovernance.localstack.lambda.Lambda;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lambda's {@code Invoke}, by the function's name, with its alias if it has one. Invocations are
 * either synchronous, or events that nobody waits for.
 */
final class LambdaFront extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(LambdaFront.class);
  private static final Pattern INVOCATION =
      Pattern.compile(AwsEndpoint.FUNCTIONS + "([A-Za-z0-9_:-]+)/invocations");

  /** Maximum size of an event in bytes, as on AWS. */
  private static final int LARGEST = 6 * 1024 * 1024;

  private final Functions functions;

  LambdaFront(Functions functions) {
    this.functions = functions;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Matcher path = INVOCATION.matcher(request.getHttpURI().getDecodedPath());
    Optional<Lambda> function =
        path.matches() && request.getMethod().equals("POST")
            ? functions.named(path.group(1))
            : Optional.empty();
    byte[] event = Content.Source.asInputStream(request).readNBytes(LARGEST + 1);
    response.getHeaders().put("Content-Type", "application/json");
    if (function.isEmpty()) {
      response.setStatus(404);
      response.getHeaders().put("x-amzn-ErrorType", "ResourceNotFoundException");
      write(response, callback, failure("Type", "User", "Message", "Function not found."));
    } else if (event.length > LARGEST) {
      response.setStatus(413);
      response.getHeaders().put("x-amzn-ErrorType", "RequestTooLargeException");
      write(response, callback, failure("Type", "User", "Message", "The event is too large."));
    } else if ("Event".equals(request.getHeaders().get("X-Amz-Invocation-Type"))) {
      response.setStatus(202);
      Thread.ofVirtual().start(() -> invokeUnobserved(function.get(), event));
      write(response, callback, new byte[0]);
    } else {
      write(
          response,
          callback,
          invoke(function.get(), event.length == 0 ? new byte[] {'{', '}'} : event, response));
    }
    return true;
  }

  private static byte[] invoke(Lambda function, byte[] event, Response response)
      throws InterruptedException {
    response.setStatus(200);
    response.getHeaders().put("X-Amz-Executed-Version", "$LATEST");
    try {
      return function.invoke(event);
    } catch (Lambda.InvocationFailed e) {
      LOG.warn("The function {} failed", function.name(), e);
      response.getHeaders().put("X-Amz-Function-Error", "Unhandled");
      return failure("errorType", e.errorType(), "errorMessage", String.valueOf(e.getMessage()));
    }
  }

  private static void invokeUnobserved(Lambda function, byte[] event) {
    try {
      function.invoke(event);
    } catch (Lambda.InvocationFailed e) {
      LOG.warn("The function {} failed", function.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] failure(String first, String value, String second, String message) {
    ObjectNode body = Json.object().put(first, value).put(second, message);
    return Json.write(body).getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Response response, Callback callback, byte[] body) {
    response.write(true, ByteBuffer.wrap(body), callback);
  }
}
