package io.actiongovernance.localstack.acceptance.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds any of thousands of texts in gigabytes of files, in one pass over each: by the hash of
 * their last eight bytes, which differ where all of a kind begin alike. Immutable; thread-safe.
 */
final class Needles {
  private static final int WINDOW = Long.BYTES;
  private static final int BITS = 22;
  private static final long PIECE = 1L << 28;

  private final Map<Long, List<byte[]>> byEnd = new HashMap<>();
  private final BitSet ends = new BitSet(1 << BITS);
  private final int longest;

  /**
   * @param needles of at least eight bytes each
   */
  Needles(Collection<String> needles) {
    int most = WINDOW;
    for (String needle : needles) {
      byte[] bytes = needle.getBytes(UTF_8);
      if (bytes.length < WINDOW) {
        throw new IllegalArgumentException("Too short to look for: " + needle);
      }
      long end = ByteBuffer.wrap(bytes, bytes.length - WINDOW, WINDOW).getLong();
      byEnd.computeIfAbsent(end, unused -> new ArrayList<>()).add(bytes);
      ends.set(slot(end));
      most = Math.max(most, bytes.length);
    }
    longest = most;
  }

  /** Those of the needles that are in the file. */
  Set<String> in(Path file) throws IOException {
    Set<String> found = new TreeSet<>();
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      for (long at = 0; at < size; at += PIECE) {
        // Pieces overlap, so that nothing falls between two.
        long from = Math.max(0, at - longest);
        long length = Math.min(size, at + PIECE) - from;
        find(channel.map(MapMode.READ_ONLY, from, length), found);
      }
    } catch (NoSuchFileException e) {
      // The stack goes on while it is looked at: what this file was about has ended.
      return Set.of();
    }
    return found;
  }

  private void find(ByteBuffer bytes, Set<String> found) {
    long window = 0;
    int length = bytes.limit();
    for (int at = 0; at < length; at++) {
      window = window << 8 | bytes.get(at) & 0xff;
      if (at >= WINDOW - 1 && ends.get(slot(window))) {
        for (byte[] needle : byEnd.getOrDefault(window, List.of())) {
          int from = at + 1 - needle.length;
          if (from >= 0 && bytes.slice(from, needle.length).equals(ByteBuffer.wrap(needle))) {
            found.add(new String(needle, UTF_8));
          }
        }
      }
    }
  }

  private static int slot(long window) {
    return (int) (window * 0x9E3779B97F4A7C15L >>> Long.SIZE - BITS);
  }
}
