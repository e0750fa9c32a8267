package io.actiongovernance.archive;

import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.util.Arrays;

/** Zstandard, whole contents at a time. Stateless. */
final class Zstd {
  /** Of what an object may hold before it is compressed; no more is read. */
  private static final long MOST = 64 * 1024 * 1024;

  private Zstd() {}

  static byte[] compressed(byte[] plain) {
    ZstdCompressor compressor = new ZstdCompressor();
    byte[] out = new byte[compressor.maxCompressedLength(plain.length)];
    int length = compressor.compress(plain, 0, plain.length, out, 0, out.length);
    return Arrays.copyOf(out, length);
  }

  static byte[] plain(byte[] compressed) {
    long length = ZstdDecompressor.getDecompressedSize(compressed, 0, compressed.length);
    if (length < 0 || length > MOST) {
      throw new IllegalStateException(
          "An object of the archive says it holds " + length + " bytes.");
    }
    byte[] plain = new byte[(int) length];
    int read =
        new ZstdDecompressor().decompress(compressed, 0, compressed.length, plain, 0, plain.length);
    return read == plain.length ? plain : Arrays.copyOf(plain, read);
  }
}
