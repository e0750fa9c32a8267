package io.actiongovernance.functions.egress;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes responses that arrive compressed although {@code identity} was requested (RFC 9110,
 * section 8.4.1). The reader limits the decoded size; this class limits how many encoded bytes are
 * read. Stateless.
 */
final class ContentCodings {
  /** The maximum number of nested content codings in one response. */
  private static final int MOST = 3;

  private ContentCodings() {}

  /**
   * The body without its content codings. Closing it does not close the connection. If a coding is
   * unknown, or if the body does not have the coding that the header names, the body is left as it
   * is.
   *
   * @param names the header {@code Content-Encoding}; null if there is none
   * @param longest the most decoded bytes to read
   */
  static InputStream decoded(InputStream body, @Nullable String names, int longest)
      throws IOException {
    List<String> codings =
        names == null
            ? List.of()
            : Arrays.stream(names.toLowerCase(Locale.ROOT).split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty() && !name.equals("identity"))
                .toList();
    InputStream decoded = codings.isEmpty() ? new UnclosedStream(body) : new Bounded(body, longest);
    if (codings.size() > MOST) {
      return decoded;
    }
    for (String coding : codings.reversed()) {
      switch (coding) {
        case "gzip", "x-gzip" -> decoded = unzipped(decoded);
        case "deflate" -> decoded = inflated(decoded);
        default -> {
          return decoded;
        }
      }
    }
    return decoded;
  }

  private static InputStream unzipped(InputStream body) throws IOException {
    PushbackInputStream again = new PushbackInputStream(body, 2);
    byte[] magic = peek(again);
    boolean zipped = magic.length == 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
    return zipped ? new GZIPInputStream(again) : again;
  }

  /**
   * Inflates with a zlib header, as the standard requires, or without one, as some servers send it.
   */
  private static InputStream inflated(InputStream body) throws IOException {
    PushbackInputStream again = new PushbackInputStream(body, 2);
    byte[] head = peek(again);
    if (head.length < 2) {
      return again;
    }
    int both = (head[0] & 0xff) << 8 | head[1] & 0xff;
    boolean zlib = (head[0] & 0x0f) == 8 && both % 31 == 0;
    Inflater inflater = new Inflater(!zlib);
    return new InflaterInputStream(again, inflater) {
      @Override
      public void close() throws IOException {
        super.close();
        inflater.end();
      }
    };
  }

  private static byte[] peek(PushbackInputStream body) throws IOException {
    byte[] first = body.readNBytes(2);
    body.unread(first);
    return first;
  }

  private static class UnclosedStream extends FilterInputStream {
    UnclosedStream(InputStream body) {
      super(body);
    }

    @Override
    public void close() {
      // The client closes the connection; a close here would read the body to its end.
    }
  }

  /** A body whose encoded bytes may exceed its decoded limit only slightly. Not thread-safe. */
  private static final class Bounded extends UnclosedStream {
    private long left;

    Bounded(InputStream body, int longest) {
      super(body);
      // Compression makes incompressible data slightly longer.
      this.left = longest + (longest >> 4) + 1_024L;
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = super.read(bytes, from, length);
      count(Math.max(count, 0));
      return count;
    }

    private void count(int bytes) throws IOException {
      left -= bytes;
      if (left < 0) {
        throw new IOException("The decompressed answer is too long.");
      }
    }
  }
}
