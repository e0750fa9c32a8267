package io.actiongovernance.functions.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.event.EventFeed;
import io.actiongovernance.event.EventFeeds;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.EventList;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.time.Sleeper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One stream, in a time that passes as it pauses (contract, section 7). */
final class EventStreamTest {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final InMemoryStore store = new InMemoryStore();
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-20T21:44:07.412Z"));
  private final Sleeper passing = time -> now.updateAndGet(instant -> instant.plus(time));
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger releases = new AtomicInteger();
  private volatile boolean permitted = true;

  private EventStream stream(Duration longest) {
    EventList list = new EventList(store, now::get, passing);
    Partition partition = new Partition(new TenantId("t_" + "0".repeat(26)), Mode.LIVE);
    EventFeed feed =
        new EventFeeds(store, now::get, passing, list)
            .open(partition, Reach.WHOLE, EventFilter.NONE, null);
    EventStream.Permit permit =
        new EventStream.Permit() {
          @Override
          public boolean valid() {
            looks.incrementAndGet();
            return permitted;
          }

          @Override
          public void release() {
            releases.incrementAndGet();
          }
        };
    return new EventStream(
        feed,
        listed -> "data: " + listed.event().id() + "\n\n",
        permit,
        longest,
        now::get,
        passing);
  }

  @Test
  void aStreamIsKeptAliveEveryFifteenSecondsUntilItEnds() throws IOException {
    Instant began = now.get();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (EventStream stream = stream(LONGEST)) {
      stream.writeTo(out);
    }
    assertThat(Duration.between(began, now.get())).isBetween(LONGEST, LONGEST.plusSeconds(1));
    String said = out.toString(UTF_8);
    assertThat(said).startsWith("retry: 3000\n\n: keep-alive\n\n");
    assertThat(said.split(": keep-alive\n\n", -1)).hasSize(20); // 19 of them in five minutes
    assertThat(releases).hasValue(1);
  }

  @Test
  void aStreamWithoutItsPermitEndsWithinFifteenSeconds() throws IOException {
    permitted = false;
    Instant began = now.get();
    try (EventStream stream = stream(LONGEST)) {
      stream.writeTo(new ByteArrayOutputStream());
    }
    assertThat(Duration.between(began, now.get())).isLessThan(Duration.ofSeconds(10));
    assertThat(looks).hasValue(1);
  }

  @Test
  void aStreamEndsWhenToldTo() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (EventStream stream = stream(LONGEST)) {
      stream.end();
      stream.writeTo(out);
    }
    assertThat(out.toString(UTF_8)).isEqualTo("retry: 3000\n\n");
  }

  @Test
  void aStreamEndsWhenItsReaderIsGone() {
    Instant began = now.get();
    OutputStream gone =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    try (EventStream stream = stream(LONGEST)) {
      assertThatThrownBy(() -> stream.writeTo(gone)).isInstanceOf(IOException.class);
    }
    assertThat(Duration.between(began, now.get())).isLessThan(LONGEST);
    assertThat(releases).hasValue(1);
  }

  @Test
  void unsentFramesAreBoundedAndAStuckReaderIsDropped() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    OutputStream stuck =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            try {
              never.await();
            } catch (InterruptedException e) {
              interrupted.incrementAndGet();
              throw new IOException("Interrupted", e);
            }
          }
        };
    Duration moment = Duration.ofMillis(50);
    try (Unsent unsent = new Unsent(stuck, 1000)) {
      assertThat(unsent.send(new byte[400], moment)).isTrue();
      assertThat(unsent.send(new byte[400], moment)).isTrue();
      assertThat(unsent.send(new byte[400], moment)).isFalse();
      assertThat(unsent.send(new byte[200], moment)).isTrue();
      assertThat(unsent.flush(moment)).isFalse();
    }
    assertThat(interrupted).hasValue(1);
  }

  @Test
  void aFrameLargerThanTheBoundIsSentAlone() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Unsent unsent = new Unsent(out, 10)) {
      assertThat(unsent.send(new byte[400], Duration.ofSeconds(5))).isTrue();
      assertThat(unsent.send(new byte[5], Duration.ofSeconds(5))).isTrue();
      assertThat(unsent.flush(Duration.ofSeconds(5))).isTrue();
    }
    assertThat(out.size()).isEqualTo(405);
  }
}
