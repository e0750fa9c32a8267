package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The log of a tenant with streams that follow it. Of each event is kept only what is needed until
 * the last stream has told of it, so that what grows is not this. Thread-safe.
 */
final class FollowedLog implements AutoCloseable {
  private static final String ID = "id: ";

  /** Characters of a line that are looked at: of those that are longer, none is an identifier. */
  private static final int LONGEST_ID = 64;

  private final Tenant tenant;
  private final List<Follower> followers = new ArrayList<>();
  private final Map<String, Event> events = new ConcurrentHashMap<>();
  private volatile Latencies latencies = new Latencies();

  FollowedLog(Tenant tenant) {
    this.tenant = tenant;
  }

  /** An event of which an acknowledgement or a frame is still to come. */
  private static final class Event {
    private final AtomicInteger seen = new AtomicInteger();
    private volatile long acknowledgedAt;
  }

  /** Opens one more stream, and waits until it has begun. */
  void follow() throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        tenant
            .http()
            .send(tenant.request("/v1/events/stream").build(), BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      throw new IllegalStateException("A stream was answered with " + response.statusCode());
    }
    Follower follower = new Follower(response.body());
    followers.add(follower);
    follower.begun.await();
  }

  /** Has the latencies from now on added up there. */
  void measure(Latencies into) {
    latencies = into;
  }

  void ingest(int number) throws IOException, InterruptedException {
    String id = Tenant.id(post(number));
    Event event = events.computeIfAbsent(id, _ -> new Event());
    event.acknowledgedAt = System.nanoTime();
    seen(id, event);
  }

  /** Posts once more when the connection it came by was just closed; an event may come of each. */
  private JsonNode post(int number) throws IOException, InterruptedException {
    String body =
        """
        {"source":"bench","event_type":"order.created","payload":{"number":%d}}
        """
            .formatted(number);
    try {
      return tenant.post("/v1/events", body);
    } catch (IOException e) {
      return tenant.post("/v1/events", body);
    }
  }

  /** Counts one of those who have seen the event: its ingester, and each stream. */
  private void seen(String id, Event event) {
    if (event.seen.incrementAndGet() == followers.size() + 1) {
      events.remove(id);
    }
  }

  /**
   * Waits until every stream has told of as many events as the log has, and requires that each told
   * of exactly those, in its order.
   *
   * @return how many frames that were
   */
  long verify(Duration longest) throws IOException, InterruptedException {
    List<String> log = tenant.ids("/v1/events?order=asc&limit=100");
    long deadline = System.nanoTime() + longest.toNanos();
    while (followers.stream().anyMatch(one -> one.frames.get() < log.size())
        && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    long order = 0;
    for (String id : log) {
      order = next(order, id);
    }
    for (Follower follower : followers) {
      if (follower.frames.get() != log.size() || follower.order.get() != order) {
        throw new IllegalStateException(
            "A stream told of %d events of %d%s"
                .formatted(
                    follower.frames.get(),
                    log.size(),
                    follower.frames.get() == log.size() ? ", in another order" : ""));
      }
    }
    return (long) log.size() * followers.size();
  }

  /** What tells one sequence of events from another. */
  private static long next(long order, String id) {
    return order * 1_000_003 + id.hashCode();
  }

  @Override
  public void close() throws IOException {
    for (Follower follower : followers) {
      follower.stream.close();
    }
  }

  /** A stream and the thread that reads it; its fields are written by that thread alone. */
  private final class Follower {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final InputStream stream;
    private final AtomicInteger frames = new AtomicInteger();
    private final AtomicLong order = new AtomicLong();

    Follower(InputStream stream) {
      this.stream = stream;
      Thread.ofVirtual().start(this::read);
    }

    private void read() {
      byte[] chunk = new byte[16 * 1024];
      StringBuilder line = new StringBuilder();
      try {
        for (int read = stream.read(chunk); read >= 0; read = stream.read(chunk)) {
          begun.countDown();
          for (int at = 0; at < read; at++) {
            if (chunk[at] == '\n') {
              told(line);
              line.setLength(0);
            } else if (line.length() < LONGEST_ID) {
              line.append((char) chunk[at]);
            }
          }
        }
      } catch (IOException e) {
        begun.countDown(); // closed, or it broke: then frames are missing, which is told
      }
    }

    private void told(StringBuilder line) {
      if (line.indexOf(ID) == 0) {
        arrived(line.substring(ID.length()));
      }
    }

    private void arrived(String id) {
      long now = System.nanoTime();
      Event event = events.computeIfAbsent(id, _ -> new Event());
      long at = event.acknowledgedAt;
      // A frame may come before the answer to the ingester is read.
      latencies.add(Duration.ofNanos(at == 0 ? 0 : now - at));
      seen(id, event);
      order.set(next(order.get(), id));
      frames.incrementAndGet();
    }
  }
}
