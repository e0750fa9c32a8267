package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Channel;
import io.actiongovernance.channel.ChannelType;
import io.actiongovernance.channel.NotificationType;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.webhook.DestinationHealth.Health;
import io.actiongovernance.webhook.EndpointStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The channel object (contract for people, section 5): of its secret, nothing. */
@Doc("A channel: a doorbell, which tells of what waits and decides nothing.")
public record ChannelView(
    ChannelId id,
    @Field(doc = "Always `channel`.", constant = "channel") String object,
    @Field(doc = "`slack`, an incoming webhook; `email`, over SMTP.", example = "slack")
        ChannelType type,
    @Field(doc = "What it rings for.", example = "[\"approval.requested\"]")
        List<NotificationType> types,
    @Field(doc = "The operators whose plans and halts it rings for; empty for those of all.")
        List<OperatorId> operators,
    @Field(doc = "What it is for; null when nobody said.") @Nullable String description,
    @Field(doc = "The workspace whose objects alone it rings for; null for the whole tenant's.")
        @Nullable String workspaceId,
    @Field(
            doc = "Of `slack`: where it posts, without the part that is secret; else null.",
            example = "https://hooks.slack.com/…")
        @Nullable String url,
    @Field(doc = "Of `email`: the mail server; else null.") @Nullable String host,
    @Field(
            doc =
                "Of `email`: its port, 465 for TLS from the first byte, 587 for STARTTLS; else"
                    + " null.")
        @Nullable Integer port,
    @Field(
            doc =
                "Whether it has credentials for the mail server, which are never shown; false for"
                    + " `slack`.")
        boolean hasCredentials,
    @Field(doc = "Of `email`: who its mails are from; else null.") @Nullable String from,
    @Field(doc = "Of `email`: who gets its mails; empty for `slack`.") List<String> to,
    @Field(
            doc =
                "`active`; `disabled` by the user; `suspended` by the service after 120 hours"
                    + " without success and 10 failed attempts. Only PATCH makes it active again.")
        EndpointStatus status,
    @Field(doc = "Why it is suspended, for people; null unless it is.")
        @Nullable String statusReason,
    @Field(
            doc =
                "The first failed attempt since the last success, RFC 3339; null while it"
                    + " succeeds.")
        @Nullable Instant failingSince,
    @Field(
            doc =
                "The latest attempt to ring, successful or not, tests apart, RFC 3339; null before"
                    + " the first.")
        @Nullable Instant lastDeliveryAt,
    @Field(
            doc = "When it was made: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant createdAt,
    @Field(
            doc = "When it was last changed: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant updatedAt) {

  static ChannelView of(Channel channel, Health health) {
    Channel.Line line = channel.line();
    boolean slack = line.type() == ChannelType.SLACK;
    return new ChannelView(
        channel.id(),
        "channel",
        line.type(),
        channel.types(),
        channel.operators(),
        channel.description(),
        channel.workspaceId(),
        slack ? "https://" + line.host() + "/…" : null,
        slack ? null : line.host(),
        line.port(),
        !slack && channel.secret() != null,
        line.from(),
        line.to(),
        channel.status(),
        channel.statusReason(),
        health.failingSince(),
        health.lastDeliveryAt(),
        channel.createdAt(),
        channel.updatedAt());
  }
}
