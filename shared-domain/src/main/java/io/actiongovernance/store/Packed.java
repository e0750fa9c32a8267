package io.actiongovernance.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A text in its stored form: deflated, with a dictionary of phrases that the service's documents
 * repeat. Writes are charged by the kilobyte, and twice in a transaction, and without a dictionary
 * such small texts deflate little. The text is deflated once, when its bytes are first requested.
 * Immutable.
 *
 * <p>Its first byte names the dictionary. Every dictionary that was ever used for writing stays in
 * the code, because a text is read with the dictionary that it was written with.
 */
public final class Packed {
  private static final byte PLAIN = 0;
  private static final byte FIRST = 1;
  private static final byte[] DICTIONARY = dictionary("dictionary-1.txt");

  private static final int MOST_OF_A_CHARACTER = 3;

  /** The text, if it was packed here; null if it was stored. */
  private final @Nullable String text;

  /** The bytes; null until requested if the text was packed here. */
  private volatile byte @Nullable [] bytes;

  private Packed(@Nullable String text, byte @Nullable [] bytes) {
    this.text = text;
    this.bytes = bytes;
  }

  public static Packed of(String text) {
    return new Packed(text, null);
  }

  /** Wraps stored {@link #bytes()}. */
  public static Packed stored(byte[] bytes) {
    return new Packed(null, bytes.clone());
  }

  public byte[] bytes() {
    return packed().clone();
  }

  public int size() {
    return packed().length;
  }

  /** Returns an upper bound of the stored bytes, without packing. */
  int atMost() {
    return text == null ? size() : 1 + text.length() * MOST_OF_A_CHARACTER;
  }

  private byte[] packed() {
    byte[] known = bytes;
    if (known == null) {
      known = packed(text());
      bytes = known;
    }
    return known;
  }

  private static byte[] packed(String text) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    byte[] deflated = deflated(plain);
    return deflated.length < plain.length ? marked(FIRST, deflated) : marked(PLAIN, plain);
  }

  public String text() {
    return text == null ? unpacked(packed()) : text;
  }

  private static String unpacked(byte[] bytes) {
    byte[] rest = Arrays.copyOfRange(bytes, 1, bytes.length);
    return new String(
        switch (bytes[0]) {
          case PLAIN -> rest;
          case FIRST -> inflated(rest);
          default -> throw new IllegalStateException("Packed by a later release: " + bytes[0]);
        },
        StandardCharsets.UTF_8);
  }

  private static byte[] deflated(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 2);
    byte[] buffer = new byte[4_096];
    try (Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true)) {
      deflater.setDictionary(DICTIONARY);
      deflater.setInput(plain);
      deflater.finish();
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
    }
    return out.toByteArray();
  }

  private static byte[] inflated(byte[] deflated) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(deflated.length * 4);
    byte[] buffer = new byte[4_096];
    try (Inflater inflater = new Inflater(true)) {
      inflater.setDictionary(DICTIONARY);
      inflater.setInput(deflated);
      while (!inflater.finished()) {
        int read = inflater.inflate(buffer);
        if (read == 0 && !inflater.finished()) {
          throw new IllegalStateException("A stored text is cut short.");
        }
        out.write(buffer, 0, read);
      }
    } catch (DataFormatException e) {
      throw new IllegalStateException("A stored text cannot be read.", e);
    }
    return out.toByteArray();
  }

  private static byte[] marked(byte mark, byte[] rest) {
    byte[] all = new byte[rest.length + 1];
    all[0] = mark;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  private static byte[] dictionary(String name) {
    try (InputStream in = Packed.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Packed packed)) {
      return false;
    }
    byte[] mine = bytes;
    byte[] theirs = packed.bytes;
    // If both were read, for example because a row was read repeatedly, neither needs to be
    // inflated.
    return mine != null && theirs != null && Arrays.equals(mine, theirs)
        || text().equals(packed.text());
  }

  @Override
  public int hashCode() {
    return text().hashCode();
  }

  @Override
  public String toString() {
    return text();
  }
}
