package io.actiongovernance.id;

/** Identifies the target of a delivery: a webhook endpoint or a channel. */
public sealed interface DestinationId permits EndpointId, ChannelId {
  String value();

  /**
   * Parses an identifier.
   *
   * @throws IllegalArgumentException if the text is not such an identifier
   */
  static DestinationId of(String text) {
    return text.startsWith(ChannelId.PREFIX) ? new ChannelId(text) : new EndpointId(text);
  }
}
