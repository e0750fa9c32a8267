package io.actiongovernance.id;

/** Identifies where deliveries go: a webhook endpoint, or a channel. */
public sealed interface DestinationId permits EndpointId, ChannelId {
  String value();

  /**
   * The identifier that a text is.
   *
   * @throws IllegalArgumentException if it is none
   */
  static DestinationId of(String text) {
    return text.startsWith(ChannelId.PREFIX) ? new ChannelId(text) : new EndpointId(text);
  }
}
