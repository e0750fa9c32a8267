package io.actiongovernance.functions.route;

/** What is sent as the body of a response. */
sealed interface Content {
  /** Nothing. */
  Content NOTHING = new Text("");

  /** Text in UTF-8. */
  record Text(String text) implements Content {}

  /** Bytes as they are. */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are written once and never changed.
  record Bytes(byte[] bytes) implements Content {}

  /** Bytes that gzip has compressed, for clients that take them so; the others get them whole. */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are written once and never changed.
  record Compressed(byte[] gzip) implements Content {}

  /** What is written for as long as it lasts. */
  record Stream(StreamBody stream) implements Content {}
}
