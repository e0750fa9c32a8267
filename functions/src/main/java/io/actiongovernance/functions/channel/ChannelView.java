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

/**
 * The channel object (contract for people, section 5). It shows nothing of the channel's secret.
 */
@Doc("A channel: a doorbell that announces what waits and decides nothing.")
public record ChannelView(
    ChannelId id,
    @Field(doc = "Always `channel`.", constant = "channel") String object,
    @Field(doc = "`slack`, an incoming webhook; `email`, over SMTP.", example = "slack")
        ChannelType type,
    @Field(
            doc = "Types of notification that the channel sends.",
            example = "[\"approval.requested\"]")
        List<NotificationType> types,
    @Field(
            doc =
                "The operators whose plans and halts the channel announces; empty for all"
                    + " operators.")
        List<OperatorId> operators,
    @Field(doc = "Purpose of the channel; null if none was given.") @Nullable String description,
    @Field(
            doc =
                "The only workspace whose objects the channel announces; null for the whole"
                    + " tenant.")
        @Nullable String workspaceId,
    @Field(
            doc = "For `slack`, the URL to which it posts, without the secret part; else null.",
            example = "https://hooks.slack.com/…")
        @Nullable String url,
    @Field(doc = "For `email`, the mail server; else null.") @Nullable String host,
    @Field(
            doc =
                "For `email`, the port: 465 for TLS from the first byte, 587 for STARTTLS; else"
                    + " null.")
        @Nullable Integer port,
    @Field(
            doc =
                "True if the channel has credentials for the mail server, which are never"
                    + " shown; false for `slack`.")
        boolean hasCredentials,
    @Field(doc = "For `email`, the sender of the mails; else null.") @Nullable String from,
    @Field(doc = "For `email`, the recipients of the mails; empty for `slack`.") List<String> to,
    @Field(
            doc =
                "`active`; `disabled` by the user; `suspended` by the service after 120 hours"
                    + " without success and 10 failed attempts. Only PATCH makes it active again.")
        EndpointStatus status,
    @Field(doc = "Reason for the suspension, for people; null unless suspended.")
        @Nullable String statusReason,
    @Field(
            doc =
                "Time of the first failed attempt since the last success, RFC 3339; null while"
                    + " attempts succeed.")
        @Nullable Instant failingSince,
    @Field(
            doc =
                "Time of the latest attempt to notify, successful or not, tests excluded, RFC"
                    + " 3339; null before the first.")
        @Nullable Instant lastDeliveryAt,
    @Field(
            doc = "Time of creation: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant createdAt,
    @Field(
            doc = "Time of the last change: RFC 3339 in UTC, to the millisecond.",
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
