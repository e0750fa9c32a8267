package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Answers the routes that stream. It takes the same events as {@link ApiFunction} and runs the same
 * pipeline, but writes API Gateway's streaming format: a prelude of status and headers as JSON,
 * eight NUL bytes, then the body as it arrives. Thread-safe.
 */
public final class StreamFunction {
  /** The media type of this format. */
  public static final String MEDIA_TYPE = "application/vnd.awslambda.http-integration-response";

  /** Number of NUL bytes between prelude and body. */
  public static final int NULS = 8;

  private final Pipeline pipeline;
  // The event's property names match its class, so the runtime's mapping library is not needed.
  private final ObjectReader events =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build()
          .readerFor(APIGatewayProxyRequestEvent.class);

  public StreamFunction(Wiring wiring, List<Route> routes) {
    this.pipeline = new Pipeline(wiring, routes, true);
  }

  /**
   * Admits or refuses the request in an event. In both cases it returns the whole answer, including
   * the prelude.
   *
   * @param event the JSON of a proxy event
   */
  public StreamBody answer(byte[] event) {
    APIGatewayProxyRequestEvent read = read(event);
    if (StayAwake.is(read)) {
      return new Answer(StayAwake.response());
    }
    try (LogIds ids = LogIds.of(null)) {
      return new Answer(pipeline.answer(ProxyRequests.of(read), ids));
    }
  }

  private APIGatewayProxyRequestEvent read(byte[] event) {
    try {
      return events.readValue(event);
    } catch (IOException e) {
      throw new UncheckedIOException("The event is not a proxy event.", e);
    }
  }

  private record Answer(HttpResponse response) implements StreamBody {
    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(prelude().getBytes(StandardCharsets.UTF_8));
      out.flush();
      out.write(new byte[NULS]);
      out.flush();
      switch (response.content()) {
        case Content.Stream(StreamBody stream) -> stream.writeTo(out);
        case Content.Bytes(byte[] bytes) -> out.write(bytes);
        case Content.Compressed(byte[] gzip) -> out.write(gzip);
        case Content.Text(String text) -> out.write(text.getBytes(StandardCharsets.UTF_8));
      }
      out.flush();
    }

    private String prelude() {
      // These names are the gateway's, so they are not in the usual snake_case.
      return Json.write(
          Map.of(
              "statusCode",
              response.status(),
              "headers",
              response.headers(),
              "multiValueHeaders",
              response.repeated()));
    }

    @Override
    public void end() {
      if (response.content() instanceof Content.Stream(StreamBody stream)) {
        stream.end();
      }
    }

    @Override
    public void close() {
      if (response.content() instanceof Content.Stream(StreamBody stream)) {
        stream.close();
      }
    }
  }
}
