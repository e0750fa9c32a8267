package io.actiongovernance.functions.event;

import io.actiongovernance.event.EventFeed;
import io.actiongovernance.event.EventsPage;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.time.Sleeper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open stream of envelopes, as server-sent events (specification, Envelope stream; contract,
 * section 7). It ends when its time is up, its permit ends, {@link #end()} is called, or its reader
 * is gone or does not read. The client then resumes after the last frame it received. Only one
 * thread may use a stream; any thread may call {@link #end()}.
 */
final class EventStream implements StreamBody {
  /**
   * The most bytes that wait to be sent. If a frame finds no room in time, the stream ends, because
   * its reader does not read.
   */
  static final long MOST_UNSENT = 1 << 20;

  static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  /** Interval of the permit checks; a revoked key must end the stream within 15 seconds. */
  static final Duration WATCH = Duration.ofSeconds(8);

  /**
   * Sends frames once they reach this many bytes, even if more frames are ready. The limit is low
   * because a reader that takes fewer bytes within {@link #PATIENCE} counts as stalled.
   */
  private static final int SENT_AT_ONCE = 1 << 13;

  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /**
   * The longest time that a frame waits for room. A reader that is only catching up is not treated
   * as stalled.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String RETRY = "retry: 3000\n\n";
  private static final String COMMENT = ": keep-alive\n\n";

  private final EventFeed feed;
  private final Function<EventsPage.Listed, String> frames;
  private final Permit permit;
  private final Duration longest;
  private final InstantSource clock;
  private final Sleeper sleeper;
  private volatile boolean ending;
  private boolean closed;

  /** The permit that a stream needs to continue. */
  interface Permit {
    /** Returns whether the permit is still valid. */
    boolean valid();

    void release();
  }

  EventStream(
      EventFeed feed,
      Function<EventsPage.Listed, String> frames,
      Permit permit,
      Duration longest,
      InstantSource clock,
      Sleeper sleeper) {
    this.feed = feed;
    this.frames = frames;
    this.permit = permit;
    this.longest = longest;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    try (Unsent unsent = new Unsent(out, MOST_UNSENT)) {
      follow(new Sending(unsent));
      if (!unsent.flush(PATIENCE)) {
        throw new IOException("The client does not read the stream.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  private void follow(Sending sending) throws IOException, InterruptedException {
    try {
      sending.add(RETRY);
      sending.send();
      while (sending.goesOn()) {
        EventFeed.Next next = feed.next();
        for (EventsPage.Listed listed : next.events()) {
          sending.add(frames.apply(listed));
          if (sending.isFull()) {
            sending.send();
            if (!sending.goesOn()) {
              return;
            }
          }
        }
        sending.send();
        if (!next.more()) {
          sleeper.sleep(PAUSE);
        }
      }
    } catch (StoreUnavailable e) {
      LOG.warn("A stream ends early, for its client to come again", e);
    }
  }

  /**
   * Sends frames together that are ready at the same time, and does the work that is due in
   * between. Not thread-safe.
   */
  private final class Sending {
    private final Unsent unsent;
    private final Instant end;
    private ByteArrayOutputStream frames = new ByteArrayOutputStream();
    private Instant nextComment;
    private Instant nextWatch;

    Sending(Unsent unsent) {
      Instant now = clock.instant();
      this.unsent = unsent;
      this.end = now.plus(longest);
      this.nextComment = now.plus(KEEP_ALIVE);
      this.nextWatch = now.plus(WATCH);
    }

    void add(String frame) {
      frames.writeBytes(frame.getBytes(StandardCharsets.UTF_8));
    }

    boolean isFull() {
      return frames.size() >= SENT_AT_ONCE;
    }

    void send() throws IOException, InterruptedException {
      if (frames.size() > 0) {
        byte[] together = frames.toByteArray();
        frames = new ByteArrayOutputStream(); // do not keep a large buffer
        if (!unsent.send(together, PATIENCE)) {
          throw new IOException("The client does not read the stream.");
        }
      }
    }

    /** Does the work that is due; returns whether further frames may follow. */
    boolean goesOn() throws IOException, InterruptedException {
      Instant now = clock.instant();
      if (!now.isBefore(end) || ending) {
        return false;
      }
      if (!now.isBefore(nextWatch)) {
        nextWatch = now.plus(WATCH);
        if (!permit.valid()) {
          return false;
        }
      }
      if (!now.isBefore(nextComment)) {
        nextComment = nextComment.plus(KEEP_ALIVE);
        add(COMMENT);
        send();
      }
      return true;
    }
  }

  @Override
  public void end() {
    ending = true;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      feed.close();
      try {
        permit.release();
      } catch (StoreUnavailable e) {
        LOG.warn("A stream's slot stays taken until its lease has run out", e);
      }
    }
  }
}
