package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.TestChannel;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ChannelId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/channels/{channel_id}/test}. */
@Operation(
    summary = "Test a channel",
    description =
        "Sends one notification now and answers with its result. A failed test is not"
            + " retried.",
    tag = Tag.CHANNELS,
    answer = TestChannelHandler.ChannelTest.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class TestChannelHandler implements RouteHandler<TestChannelHandler.Input> {
  private final TestChannel testChannel;

  TestChannelHandler(TestChannel testChannel) {
    this.testChannel = testChannel;
  }

  record Input(ChannelId channelId) {}

  @Doc("The result of a test.")
  record ChannelTest(
      @Field(doc = "Always `channel_test`.", constant = "channel_test") String object,
      ChannelId channelId,
      @Field(doc = "True if the receiver accepted the notification.") boolean ok,
      @Field(
              doc =
                  "HTTP status of the incoming webhook, or reply code of the mail server; null if"
                      + " there was none.")
          @Nullable Integer responseStatus,
      @Field(doc = "Reason for the failure, for people; null if the test succeeded.")
          @Nullable String error,
      @Field(doc = "Duration in milliseconds.") long durationMs,
      @Field(
              doc = "Time at which the test ended: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:31.155Z")
          Instant testedAt) {
    static ChannelTest of(TestChannel.Tested tested) {
      return new ChannelTest(
          "channel_test",
          tested.channel(),
          tested.problem() == null,
          tested.status(),
          tested.problem(),
          tested.took().toMillis(),
          tested.at());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        testChannel.test(call.caller(), input.channelId(), call.mintedId()), ChannelTest::of);
  }
}
