package io.actiongovernance.functions.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The other side of the Lambda Runtime API: hands out the invocations it is given, and takes down
 * what is said to it, chunk by chunk as it comes in. Thread-safe.
 */
final class RuntimeApiServer implements AutoCloseable {
  private static final String PREFIX = "/2018-06-01/runtime";

  private final ServerSocket server;
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private volatile Consumer<Said> onChunk = one -> {};

  RuntimeApiServer() throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** A request, its body as the chunks it came in. */
  record Said(
      String request,
      Map<String, String> headers,
      List<String> chunks,
      Map<String, String> trailers) {
    String body() {
      return String.join("", chunks);
    }
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** One more invocation. */
  RuntimeApiServer event(String event) {
    events.add(event);
    return this;
  }

  /** Has requests to this path answered with this status. */
  void answer(String path, int status) {
    statuses.put(PREFIX + path, status);
  }

  /** Calls back with each chunk of a body as it has come in. */
  void onChunk(Consumer<Said> callback) {
    onChunk = callback;
  }

  /** What was said next. */
  Said next() throws InterruptedException {
    Said next = said.poll(20, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("Nothing more was said.");
    }
    return next;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket connection = server.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      for (String request = line(in); !request.isEmpty(); request = line(in)) {
        connection.getOutputStream().write(answer(request, in).getBytes(UTF_8));
        connection.getOutputStream().flush();
      }
    } catch (SocketException | EOFException e) {
      // The runtime has hung up.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String answer(String requestLine, InputStream in)
      throws IOException, InterruptedException {
    String request = requestLine.replace(" HTTP/1.1", "");
    Said one =
        new Said(request, fields(in), new CopyOnWriteArrayList<>(), new ConcurrentHashMap<>());
    readBody(one, in);
    if (request.equals("GET " + PREFIX + "/invocation/next")) {
      String event = events.take();
      return "HTTP/1.1 200 OK\r\nLambda-Runtime-Aws-Request-Id: id-"
          + event
          + "\r\nLambda-Runtime-Deadline-Ms: 1\r\nContent-Length: "
          + event.length()
          + "\r\n\r\n"
          + event;
    }
    said.add(one);
    String path = request.substring(request.indexOf(' ') + 1);
    int status = statuses.getOrDefault(path, path.endsWith("/restore/next") ? 200 : 202);
    return "HTTP/1.1 " + status + " Said\r\nContent-Length: 0\r\n\r\n";
  }

  private void readBody(Said one, InputStream in) throws IOException {
    if ("chunked".equals(one.headers().get("transfer-encoding"))) {
      for (int size = size(in); size > 0; size = size(in)) {
        one.chunks().add(new String(in.readNBytes(size), UTF_8));
        line(in);
        onChunk.accept(one);
      }
      one.trailers().putAll(fields(in));
    } else {
      int length = Integer.parseInt(one.headers().getOrDefault("content-length", "0"));
      one.chunks().add(new String(in.readNBytes(length), UTF_8));
    }
  }

  private static int size(InputStream in) throws IOException {
    return Integer.parseInt(line(in), 16);
  }

  private static Map<String, String> fields(InputStream in) throws IOException {
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return fields;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        throw new EOFException();
      }
      line.append((char) octet);
    }
    return new String(line.toString().getBytes(ISO_8859_1), UTF_8).strip();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
