package io.actiongovernance.export;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Counts and hashes the bytes that pass through it. Closing it does not close its target. Not
 * thread-safe.
 */
final class DigestingOutputStream extends OutputStream {
  private final OutputStream target;
  private final MessageDigest digest;
  private long bytes;

  DigestingOutputStream(OutputStream target) {
    this.target = target;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  long bytes() {
    return bytes;
  }

  /** Returns the hash of all bytes so far. Call this only once, at the end. */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] buffer, int from, int length) throws IOException {
    target.write(buffer, from, length);
    digest.update(buffer, from, length);
    bytes += length;
  }
}
