package io.actiongovernance.functions.event;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Frames for a reader that have not been sent yet. A separate thread writes them, so that a reader
 * that does not read blocks only that thread. Thread-safe.
 */
final class Unsent implements AutoCloseable {
  private static final Duration LONGEST_JOIN = Duration.ofSeconds(5);

  private final OutputStream out;
  private final long capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<byte[]> frames = new ArrayDeque<>();
  private long bytes;
  private @Nullable IOException failure;

  /** A virtual thread, because interrupting it also ends a write to a socket. */
  private final Thread writer;

  /**
   * @param capacity the most bytes of waiting frames; a single frame may exceed it
   */
  Unsent(OutputStream out, long capacity) {
    this.out = out;
    this.capacity = capacity;
    this.writer = Thread.ofVirtual().name("stream-writer").start(this::write);
  }

  /**
   * Sends a frame after those before it.
   *
   * @return false if the frame found no room within the patience
   * @throws IOException if earlier frames could not be sent
   */
  boolean send(byte[] frame, Duration patience) throws IOException, InterruptedException {
    return await(() -> bytes == 0 || bytes + frame.length <= capacity, patience, frame);
  }

  /** Waits until everything is sent; returns false if that exceeds the patience. */
  boolean flush(Duration patience) throws IOException, InterruptedException {
    return await(() -> bytes == 0, patience, null);
  }

  private interface Wanted {
    boolean isThere();
  }

  private boolean await(Wanted wanted, Duration patience, byte @Nullable [] frame)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = patience.toNanos();
      while (failure == null && !wanted.isThere() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (failure != null) {
        throw new IOException("The client is gone.", failure);
      }
      if (!wanted.isThere()) {
        return false;
      }
      if (frame != null) {
        frames.add(frame);
        bytes += frame.length;
        changed.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void write() {
    try {
      while (true) {
        byte[] frame = next();
        out.write(frame);
        out.flush();
        sent(frame);
      }
    } catch (IOException e) {
      fail(e);
    } catch (InterruptedException e) {
      fail(new IOException("Interrupted", e));
    }
  }

  private byte[] next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (frames.isEmpty()) {
        changed.await();
      }
      return frames.remove();
    } finally {
      lock.unlock();
    }
  }

  private void sent(byte[] frame) {
    lock.lock();
    try {
      bytes -= frame.length;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void fail(IOException e) {
    lock.lock();
    try {
      failure = e;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Stops sending, even if frames remain. */
  @Override
  public void close() {
    writer.interrupt();
    boolean interrupted = Thread.interrupted();
    try {
      writer.join(LONGEST_JOIN);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
