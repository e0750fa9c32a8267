package io.actiongovernance.localstack.bench;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.actiongovernance.localstack.fixture.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTPS server that takes every webhook at once and keeps their identifiers. Thread-safe. */
final class Postbox implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int BACKLOG = 200;

  private final HttpsServer server;
  private final Set<String> deliveries = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requests = new AtomicInteger();
  private volatile String latest = "";

  Postbox() throws IOException {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName(HOST), 0), BACKLOG);
    server.setHttpsConfigurator(new HttpsConfigurator(Certificates.server(HOST)));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            latest = new String(body, StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(204, -1);
            requests.incrementAndGet();
            deliveries.add(exchange.getRequestHeaders().getFirst("webhook-id"));
          }
        });
    server.start();
  }

  String url(String path) {
    return "https://" + HOST + ":" + server.getAddress().getPort() + path;
  }

  /** How many different deliveries have come. */
  int deliveries() {
    return deliveries.size();
  }

  /** How many requests have come. */
  int requests() {
    return requests.get();
  }

  /** The body that came last. */
  String latest() {
    return latest;
  }

  void awaitDeliveries(int count) throws InterruptedException {
    while (deliveries() < count) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
