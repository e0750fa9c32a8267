package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.fixture.Certificates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of webhooks: an HTTPS server that keeps every request byte for byte and answers 204,
 * or misbehaves as it is told. Thread-safe.
 */
final class Receiver implements AutoCloseable {
  static final String HOST = "127.0.0.1";

  private final SSLServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final Map<String, Deque<Behaviour>> scripts = new ConcurrentHashMap<>();
  private final Map<String, Behaviour> habits = new ConcurrentHashMap<>();

  Receiver() {
    this(Certificates.server(HOST));
  }

  Receiver(SSLContext tls) {
    this(tls, 0);
  }

  /** One at this port; 0 for a free one. */
  Receiver(SSLContext tls, int port) {
    try {
      server =
          (SSLServerSocket)
              tls.getServerSocketFactory()
                  .createServerSocket(port, 200, InetAddress.getByName(HOST));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  /** A request, byte for byte. */
  record Received(String path, Map<String, String> headers, String body, long at) {
    JsonNode json() {
      return Json.read(body);
    }

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  /** How a request is answered, once it was read. */
  sealed interface Behaviour {
    /** With a status, headers in turn by name and value, and no body. */
    record Answer(int status, List<String> headers) implements Behaviour {
      Answer(int status, String... headers) {
        this(status, List.of(headers));
      }
    }

    /** A 200 of which a byte comes every so often. */
    record Drip(Duration pause, boolean headersToo) implements Behaviour {}

    /** A 200 that ends before its body does. */
    record Half() implements Behaviour {}

    /** Not at all: the connection is reset. */
    record Reset() implements Behaviour {}

    /** Not at all: nothing comes. */
    record Silence() implements Behaviour {}

    /** A 200 after a while. */
    record Late(Duration pause) implements Behaviour {}
  }

  String url(String path) {
    return "https://" + HOST + ":" + server.getLocalPort() + path;
  }

  /** Has the next requests of the path answered like this, one each. */
  Receiver next(String path, Behaviour... behaviours) {
    Deque<Behaviour> script = scripts.computeIfAbsent(path, _ -> new ArrayDeque<>());
    synchronized (script) {
      script.addAll(List.of(behaviours));
    }
    return this;
  }

  /** Has all other requests of the path answered like this. */
  Receiver always(String path, Behaviour behaviour) {
    habits.put(path, behaviour);
    return this;
  }

  /** What came to the path, in the order in which it was read. */
  List<Received> received(String path) {
    return received.stream().filter(each -> each.path().equals(path)).toList();
  }

  /** Waits until so much has come to the path. */
  List<Received> await(String path, int count) {
    return Await.until(Duration.ofSeconds(40), () -> received(path), seen -> seen.size() >= count);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Received request = read(socket.getInputStream());
      if (request == null) {
        return;
      }
      received.add(request);
      answer(socket, behaviour(request.path()));
    } catch (IOException e) {
      // The other side went away, as it may.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Behaviour behaviour(String path) {
    Deque<Behaviour> script = scripts.get(path);
    if (script != null) {
      synchronized (script) {
        if (!script.isEmpty()) {
          return script.remove();
        }
      }
    }
    return habits.getOrDefault(path, new Behaviour.Answer(204));
  }

  private static void answer(Socket socket, Behaviour behaviour)
      throws IOException, InterruptedException {
    OutputStream out = socket.getOutputStream();
    switch (behaviour) {
      case Behaviour.Answer(int status, List<String> headers) -> {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Because\r\n");
        for (int at = 0; at < headers.size(); at += 2) {
          head.append(headers.get(at)).append(": ").append(headers.get(at + 1)).append("\r\n");
        }
        write(out, head + (status == 204 ? "\r\n" : "Content-Length: 0\r\n\r\n"));
      }
      case Behaviour.Drip(Duration pause, boolean headersToo) -> {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
        if (!headersToo) {
          write(out, head);
        }
        for (char c : (headersToo ? head : "x".repeat(1000)).toCharArray()) {
          write(out, String.valueOf(c));
          TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        }
      }
      case Behaviour.Half _ ->
          write(out, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of it");
      case Behaviour.Reset _ -> socket.setSoLinger(true, 0);
      case Behaviour.Silence _ -> TimeUnit.SECONDS.sleep(30);
      case Behaviour.Late(Duration pause) -> {
        TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        write(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      }
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  private static @Nullable Received read(InputStream in) throws IOException {
    String first = line(in);
    if (first.isEmpty()) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Received(first.split(" ")[1], Map.copyOf(headers), body, System.nanoTime());
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
