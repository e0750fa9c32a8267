package io.actiongovernance.channel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Seals and opens the secrets of channels, each for its own channel only. Thread-safe. */
public final class ChannelSecrets {
  private final Sealer sealer;

  public ChannelSecrets(Sealer sealer) {
    this.sealer = sealer;
  }

  @Nullable String seal(Partition partition, ChannelId id, ChannelSecret secret) {
    return secret instanceof ChannelSecret.None
        ? null
        : sealer.seal(
            partition,
            Sealer.Purpose.CHANNEL,
            id.value(),
            Json.write(secret).getBytes(StandardCharsets.UTF_8));
  }

  ChannelSecret open(Channel channel) {
    String sealed = channel.secret();
    if (sealed == null) {
      return new ChannelSecret.None();
    }
    Class<? extends ChannelSecret> type =
        channel.line().type() == ChannelType.SLACK
            ? ChannelSecret.Hook.class
            : ChannelSecret.Login.class;
    return sealer
        .open(channel.partition(), Sealer.Purpose.CHANNEL, channel.id().value(), sealed)
        .map(text -> Json.read(new String(text, StandardCharsets.UTF_8), type))
        .orElseThrow(
            () -> new IllegalStateException("The secret of " + channel.id() + " cannot be opened"));
  }
}
