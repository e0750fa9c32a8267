package io.actiongovernance.functions.route;

/** The body of a response. */
sealed interface Content {
  Content NOTHING = new Text("");

  /** UTF-8 text. */
  record Text(String text) implements Content {}

  /** Bytes, sent unchanged. */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are written once and never changed.
  record Bytes(byte[] bytes) implements Content {}

  /** Bytes compressed with gzip. Clients that do not accept gzip receive them uncompressed. */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are written once and never changed.
  record Compressed(byte[] gzip) implements Content {}

  /** A body that is written over time until its stream ends. */
  record Stream(StreamBody stream) implements Content {}
}
