package io.actiongovernance.archive;

import io.actiongovernance.json.CanonicalJson;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.Arrays;

/**
 * The eight-byte hashes of all filter values of what was written for a day, in their order: what
 * lists ask before they read an object. What is not in it is not in the objects; what is in it
 * nearly always is. Not thread-safe.
 */
public final class FilterIndex {
  private long[] hashes = new long[256];
  private int size;

  /** The hash of a value. */
  private static long hash(RowKind kind, LocalDate day, String field, String value) {
    String text = String.join("\n", kind.wire(), day.toString(), field, value);
    return Long.parseUnsignedLong(CanonicalJson.sha256(text), 0, 16, 16);
  }

  /** Adds a value that a row of a kind and day can be found by. */
  void add(RowKind kind, LocalDate day, String field, String value) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * size);
    }
    hashes[size++] = hash(kind, day, field, value);
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Each hash once, least first, as unsigned numbers of eight bytes. */
  byte[] bytes() {
    long[] sorted =
        Arrays.stream(hashes, 0, size)
            .map(hash -> hash ^ Long.MIN_VALUE)
            .sorted()
            .distinct()
            .map(hash -> hash ^ Long.MIN_VALUE)
            .toArray();
    ByteBuffer bytes = ByteBuffer.allocate(sorted.length * Long.BYTES);
    for (long hash : sorted) {
      bytes.putLong(hash);
    }
    return bytes.array();
  }

  /** Whether a row with this value may be among those that the bytes are the index of. */
  public static boolean mayHold(
      byte[] index, RowKind kind, LocalDate day, String field, String value) {
    long wanted = hash(kind, day, field, value);
    ByteBuffer bytes = ByteBuffer.wrap(index);
    int low = 0;
    int high = index.length / Long.BYTES - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(bytes.getLong(middle * Long.BYTES), wanted);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }
}
