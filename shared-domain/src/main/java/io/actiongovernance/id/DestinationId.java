package io.actiongovernance.id;

/** Identifies the target of deliveries: a webhook endpoint, or a channel. */
public sealed interface DestinationId permits EndpointId, ChannelId {
  String value();

  /**
   * Parses an identifier.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  static DestinationId of(String text) {
    return text.startsWith(ChannelId.PREFIX) ? new ChannelId(text) : new EndpointId(text);
  }
}
