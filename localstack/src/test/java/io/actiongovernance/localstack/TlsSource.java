package io.actiongovernance.localstack;

import io.actiongovernance.localstack.fixture.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A source system behind TLS whose handshake takes its time, and which remembers when the first
 * byte of each request came, after the handshake. Thread-safe.
 */
final class TlsSource implements AutoCloseable {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
          .getBytes(StandardCharsets.US_ASCII);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Long> firstBytes = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch connected = new CountDownLatch(1);
  private final String host;
  private final SSLContext tls;
  private final Duration handshake;
  private final ServerSocket server;

  TlsSource(String host, Duration handshake) throws IOException {
    this.host = host;
    this.tls = Certificates.server(host);
    this.handshake = handshake;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  String url() {
    return "https://" + host + ":" + server.getLocalPort();
  }

  /** Opened when somebody has connected, whose handshake then begins. */
  CountDownLatch connected() {
    return connected;
  }

  int connections() {
    return connections.get();
  }

  /** When each request began, by {@link System#nanoTime()}. */
  List<Long> firstBytes() {
    return firstBytes;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        return; // It was closed.
      }
    }
  }

  private void serve(Socket socket) {
    connections.incrementAndGet();
    connected.countDown();
    try (socket) {
      TimeUnit.NANOSECONDS.sleep(handshake.toNanos());
      try (SSLSocket secure =
          (SSLSocket) tls.getSocketFactory().createSocket(socket, host, socket.getPort(), true)) {
        secure.setUseClientMode(false);
        secure.startHandshake();
        if (secure.getInputStream().read() >= 0) {
          firstBytes.add(System.nanoTime());
          secure.getOutputStream().write(ANSWER);
          secure.getOutputStream().flush();
        }
      }
    } catch (IOException e) {
      return; // The client has gone without a request.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
