package io.actiongovernance.channel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.webhook.WebhookSender.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Sends a test notification to a channel, and returns the result. Thread-safe. */
public final class TestChannel {
  private final Channels channels;
  private final ComposeNotification compose;
  private final TellChannel tellChannel;
  private final InstantSource clock;

  public TestChannel(
      Channels channels,
      ComposeNotification compose,
      TellChannel tellChannel,
      InstantSource clock) {
    this.channels = channels;
    this.compose = compose;
    this.tellChannel = tellChannel;
    this.clock = clock;
  }

  /**
   * Result of a test.
   *
   * @param status the status of the incoming webhook or the mail server; null if none
   * @param problem why the test failed, for people; null if it did not fail
   */
  public record Tested(
      ChannelId channel,
      @Nullable Integer status,
      @Nullable String problem,
      Duration took,
      Instant at) {}

  /**
   * Sends a test notification once. If the caller asks again, another one is sent.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<Tested> test(Caller caller, ChannelId id, String request) {
    return channels
        .find(caller, id)
        .then(
            channel ->
                channel.active()
                    ? Outcome.done(tested(caller, channel, request))
                    : Outcome.refused(
                        new Refusal.Conflict(
                            "The channel is "
                                + channel.status().wire()
                                + ": nothing is delivered to it."
                                + " Set its status to active first.")));
  }

  private Tested tested(Caller caller, Channel channel, String request) {
    Instant began = now();
    Reply reply = tellChannel.tell(channel, compose.test(caller, channel), "test-" + request);
    Instant ended = now();
    return new Tested(
        channel.id(),
        reply instanceof Reply.Answered answered ? answered.status() : null,
        reply.problem(),
        Duration.between(began, ended),
        ended);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
