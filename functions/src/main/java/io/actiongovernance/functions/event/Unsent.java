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
 * What was said to a reader and has not been sent yet: written by a thread of its own, so that a
 * reader that does not read holds up that thread alone. Thread-safe.
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

  /** Virtual: to interrupt it ends a write to a socket too. */
  private final Thread writer;

  /** Frames of so many bytes in all have room, and any single one. */
  Unsent(OutputStream out, long capacity) {
    this.out = out;
    this.capacity = capacity;
    this.writer = Thread.ofVirtual().name("stream-writer").start(this::write);
  }

  /**
   * Sends a frame, as soon as those before it are.
   *
   * @return false if for so long there was no room for it
   * @throws IOException if those before it could not be sent
   */
  boolean send(byte[] frame, Duration patience) throws IOException, InterruptedException {
    return await(() -> bytes == 0 || bytes + frame.length <= capacity, patience, frame);
  }

  /** Waits until all is sent; false if it takes longer. */
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
        throw new IOException("The reader is gone.", failure);
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

  /** Sends nothing more, though there be something left. */
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
