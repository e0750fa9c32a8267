package io.actiongovernance.localstack.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.StreamFunction;
import io.actiongovernance.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Sends the output of a streaming function as a response. It reads the prelude, which has status
 * and headers, up to the NUL bytes, and passes on the rest as it arrives. Only one thread at a time
 * may use it.
 */
final class StreamedResponse extends OutputStream {
  private final Response response;
  private final ByteArrayOutputStream prelude = new ByteArrayOutputStream();
  private int nuls;

  StreamedResponse(Response response) {
    this.response = response;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet});
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int at = from;
    while (at < from + length && nuls < StreamFunction.NULS) {
      readPrelude(bytes[at]);
      at++;
    }
    if (at < from + length) {
      send(false, ByteBuffer.wrap(bytes, at, from + length - at));
    }
  }

  private void readPrelude(byte octet) {
    if (octet != 0) {
      prelude.write(octet);
      return;
    }
    nuls++;
    if (nuls == StreamFunction.NULS) {
      begin(Json.read(prelude.toString(StandardCharsets.UTF_8)));
    }
  }

  private void begin(JsonNode head) {
    response.setStatus(head.path("statusCode").intValue());
    for (Map.Entry<String, JsonNode> header : head.path("headers").properties()) {
      response.getHeaders().put(header.getKey(), header.getValue().asText());
    }
  }

  /**
   * Returns when the bytes have been sent. If it is interrupted, it stops waiting, and the caller
   * fails the response.
   */
  private void send(boolean last, ByteBuffer bytes) throws IOException {
    Callback.Completable sent = new Callback.Completable();
    response.write(last, bytes, sent);
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new IOException("The client is gone.", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    send(true, ByteBuffer.allocate(0));
  }
}
