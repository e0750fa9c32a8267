package io.actiongovernance.localstack.acceptance.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The way from a browser to the service, which can be cut and mended. Thread-safe. */
final class BrowserRelay implements AutoCloseable {
  private final ServerSocket server;
  private final URI to;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  BrowserRelay(URI to) throws IOException {
    this.to = to;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** The same address by this way. */
  String address(String of) {
    return of.replace(to.getAuthority(), "localhost:" + server.getLocalPort());
  }

  /** Ends what goes on, and lets nothing through from now on. */
  void cut() {
    cut = true;
    open.forEach(BrowserRelay::end);
  }

  void mend() {
    cut = false;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        relay(server.accept());
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void relay(Socket browser) throws IOException {
    if (cut) {
      end(browser);
      return;
    }
    Socket service = new Socket(to.getHost(), to.getPort());
    open.add(browser);
    open.add(service);
    Thread.ofVirtual().start(() -> copy(browser, service));
    Thread.ofVirtual().start(() -> copy(service, browser));
  }

  /** One that ends ends the other. */
  private void copy(Socket from, Socket into) {
    try {
      from.getInputStream().transferTo(into.getOutputStream());
    } catch (IOException e) {
      // It was cut, or either has gone.
    } finally {
      end(from);
      end(into);
      open.remove(from);
      open.remove(into);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(BrowserRelay::end);
  }
}
