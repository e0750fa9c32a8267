package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.aws.SqsProposalQueue;
import io.actiongovernance.functions.queue.Queue;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the dead letters of {@link Queue#PROPOSALS}: resends events whose proposal failed. An
 * event is resent after 1, 2, 4, 8 and then every 15 minutes, for a day. A failure of the service
 * or of a model therefore loses no proposal if it ends within a day.
 */
public final class ProposeAgainHandler extends MessageHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProposeAgainHandler.class);
  private static final String TIMES = "again";
  private static final Duration LONGEST = Duration.ofMinutes(15);

  /**
   * The most times that an event is resent: about a day of the longest pauses, including the
   * receives between them.
   */
  private static final int MOST = 80;

  /**
   * The number of tries, about four hours, after which a failure is logged as an error, so that a
   * person looks at it.
   */
  private static final int ALARMING = 20;

  private final SqsProposalQueue queue;

  ProposeAgainHandler(SqsProposalQueue queue) {
    this.queue = queue;
  }

  @Override
  protected Handled handle(JsonNode message) {
    int times = message.path(TIMES).asInt() + 1;
    if (times > MOST) {
      LOG.atError().log("Nothing was proposed for an event within a day of trying");
      return Handled.LEAVE;
    }
    if (times >= ALARMING) {
      LOG.atError().addKeyValue("times", times).log("Nothing can be proposed for an event");
    }
    ObjectNode again = message.deepCopy();
    queue.sendAgain(again.put(TIMES, times), pause(times));
    return Handled.DONE;
  }

  private static Duration pause(int times) {
    Duration doubled = Duration.ofMinutes(1L << Math.min(times - 1, 4));
    return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
  }
}
