package io.actiongovernance.functions.route;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.functions.route.Encoder.Encoded;
import io.actiongovernance.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** An answer kept for replay: compressed, and sealed because it may contain a secret. */
record StoredAnswer(int status, String body) {
  /** The most sealed characters that fit in an item together with the rest of its record. */
  static final int MOST_CHARACTERS = 390_000;

  static String seal(Sealer.Seal seal, String scope, Encoded encoded) {
    StoredAnswer answer = new StoredAnswer(encoded.status(), encoded.text());
    byte[] text = Json.write(answer).getBytes(StandardCharsets.UTF_8);
    return seal.seal(scope, compressed(text));
  }

  static StoredAnswer open(Sealer sealer, Partition partition, String scope, String sealed) {
    byte[] compressed =
        sealer
            .open(partition, Sealer.Purpose.ANSWER, scope, sealed)
            .orElseThrow(() -> new IllegalStateException("A stored answer cannot be opened."));
    return Json.read(expanded(compressed), StoredAnswer.class);
  }

  private static byte[] compressed(byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static String expanded(byte[] compressed) {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
