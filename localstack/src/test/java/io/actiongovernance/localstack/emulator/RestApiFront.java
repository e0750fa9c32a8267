package io.actiongovernance.localstack.emulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.gateway.ProxyAnswer;
import io.actiongovernance.localstack.gateway.ProxyEvent;
import io.actiongovernance.localstack.gateway.Resources;
import io.actiongovernance.localstack.lambda.Lambda;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What API Gateway does with a request, on the path that an emulator has for an API's stage. */
final class RestApiFront extends Handler.Abstract {
  /** What the paths of all APIs begin with. */
  static final String PATH = "/_aws/execute-api/";

  private static final Logger LOG = LoggerFactory.getLogger(RestApiFront.class);
  private static final Pattern STAGE = Pattern.compile(PATH + "([^/]+)/([^/]+)");

  /** Bytes of a body, as on API Gateway. */
  private static final int LARGEST_BODY = 10 * 1024 * 1024;

  /** For how long API Gateway waits for an answer, a function's start included. */
  private static final Duration LONGEST = Duration.ofSeconds(29);

  private static final String SERVICE = "apigateway.amazonaws.com";
  private static final String BAD = "DEFAULT_4XX";
  private static final String FAILED = "DEFAULT_5XX";
  private static final String TIMED_OUT = "INTEGRATION_TIMEOUT";

  private final RestApis apis;
  private final Code code;
  private final Rights rights;
  private final Like like;

  RestApiFront(RestApis apis, Code code, Rights rights, Like like) {
    this.apis = apis;
    this.code = code;
    this.rights = rights;
    this.like = like;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Matcher path = STAGE.matcher(request.getHttpURI().getPath());
    RestApis.@Nullable Picture api =
        path.lookingAt() ? apis.on(path.group(1), path.group(2)) : null;
    if (api == null) {
      Response.writeError(request, response, callback, 404, "There is no such API.");
      return true;
    }
    byte[] body = Content.Source.asInputStream(request).readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      return api.answer("REQUEST_TOO_LARGE", BAD).write(response, callback);
    }
    ProxyEvent.Stage stage = new ProxyEvent.Stage(path.group(1), path.group(2), path.group());
    String rest = request.getHttpURI().getPath().substring(stage.path().length());
    Resources.@Nullable Match match = api.resources().match(rest).orElse(null);
    @Nullable String function =
        match == null ? null : api.function(match.resource(), request.getMethod()).orElse(null);
    if (match == null || function == null) {
      return api.answer("MISSING_AUTHENTICATION_TOKEN", BAD).write(response, callback);
    }
    byte[] event;
    try {
      event = asTaken(ProxyEvent.of(request, stage, match, body));
    } catch (IllegalArgumentException e) {
      return api.answer("BAD_REQUEST_PARAMETERS", BAD).write(response, callback);
    }
    String method = stage.api() + "/" + stage.name() + "/" + request.getMethod() + match.resource();
    String sourceArn = Aws.arn("execute-api", method.replaceAll("\\{[^}]+}", "*"));
    if (!rights.mayInvoke(function, SERVICE, sourceArn)) {
      LOG.error("{} may not invoke {}", sourceArn, function);
      return api.answer("API_CONFIGURATION_ERROR", FAILED).write(response, callback);
    }
    try {
      return ProxyAnswer.write(asSent(invoked(function, event)), response, callback);
    } catch (TimeoutException e) {
      LOG.warn("The function {} did not answer in time", function, e);
      return api.answer(TIMED_OUT, FAILED).write(response, callback);
    } catch (ExecutionException e) {
      LOG.warn("The function {} failed", function, e);
      boolean timedOut = e.getCause() instanceof Lambda.InvocationFailed why && why.timedOut();
      return api.answer(timedOut ? TIMED_OUT : "INTEGRATION_FAILURE", FAILED)
          .write(response, callback);
    }
  }

  /** The event as the function gets it: LocalStack skips the media type of any kind. */
  private byte[] asTaken(byte[] event) {
    if (like == Like.AWS) {
      return event;
    }
    ObjectNode text = (ObjectNode) Json.read(new String(event, UTF_8));
    if (text.path("body").isTextual()) {
      text.put("body", new String(Base64.getDecoder().decode(text.path("body").asText()), UTF_8));
    }
    return Json.write(text.put("isBase64Encoded", false)).getBytes(UTF_8);
  }

  /** The answer as the client gets it. */
  private byte[] asSent(byte[] answer) {
    if (like == Like.AWS) {
      return answer;
    }
    ObjectNode text = (ObjectNode) Json.read(new String(answer, UTF_8));
    return Json.write(text.put("isBase64Encoded", false)).getBytes(UTF_8);
  }

  /** What the function answers in time; it goes on if it does not. */
  private byte[] invoked(String function, byte[] event)
      throws ExecutionException, InterruptedException, TimeoutException {
    FutureTask<byte[]> invocation = new FutureTask<>(() -> code.of(function).invoke(event));
    Thread.ofVirtual().name(function).start(invocation);
    return invocation.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
  }
}
