package io.actiongovernance.localstack.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;

/**
 * Requests that no HTTP client would send: bytes that are no text, targets that are no URI. One
 * connection each.
 */
final class Wire {
  private static final int LONGEST_MILLIS = 40_000;

  private Wire() {}

  /**
   * Sends exactly this.
   *
   * @param target what stands between method and version in the first line, after the path of the
   *     service's root, if it has one
   * @param headers names and values in turn, besides the key, the host and the length
   */
  static Answer send(Api api, String method, String target, byte[] body, String... headers) {
    StringBuilder head =
        new StringBuilder(method + " " + api.baseUrl().getPath() + target + " HTTP/1.1\r\n");
    head.append("Host: ").append(api.baseUrl().getAuthority()).append("\r\n");
    head.append("Connection: close\r\nContent-Length: ").append(body.length).append("\r\n");
    if (api.key() != null) {
      head.append("Authorization: Bearer ").append(api.key()).append("\r\n");
    }
    for (int at = 0; at < headers.length; at += 2) {
      head.append(headers[at]).append(": ").append(headers[at + 1]).append("\r\n");
    }
    head.append("\r\n");
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.toString().getBytes(ISO_8859_1));
    request.writeBytes(body);
    try (Socket socket = connect(api.baseUrl())) {
      socket.setSoTimeout(LONGEST_MILLIS);
      socket.getOutputStream().write(request.toByteArray());
      socket.getOutputStream().flush();
      return answer(method + " " + target, socket.getInputStream().readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + target, e);
    }
  }

  /** Sends a body that is said to be JSON. */
  static Answer sendJson(Api api, String method, String target, byte[] body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
    all.addAll(List.of(headers));
    return send(api, method, target, body, all.toArray(String[]::new));
  }

  private static Socket connect(URI url) throws IOException {
    boolean secure = "https".equals(url.getScheme());
    int port = url.getPort() >= 0 ? url.getPort() : secure ? 443 : 80;
    return secure
        ? SSLSocketFactory.getDefault().createSocket(url.getHost(), port)
        : new Socket(url.getHost(), port);
  }

  private static Answer answer(String request, byte[] received) {
    String text = new String(received, ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IllegalStateException(request + " was answered with " + text);
    }
    String[] lines = text.substring(0, end).split("\r\n");
    Map<String, List<String>> headers = new HashMap<>();
    for (String line : Arrays.asList(lines).subList(1, lines.length)) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return new Answer(
        request.length() > 200 ? request.substring(0, 200) : request,
        Integer.parseInt(lines[0].split(" ")[1]),
        HttpHeaders.of(headers, (name, value) -> true),
        new String(received, end + 4, received.length - end - 4, UTF_8));
  }
}
