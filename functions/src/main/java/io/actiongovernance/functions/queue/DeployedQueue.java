package io.actiongovernance.functions.queue;

/**
 * A queue of a deployment. Most kinds have one queue; actions have as many as the deployment's
 * environment specifies.
 *
 * @param number counted from 1. The first queue is named as if it were the only one, so that it
 *     stays when others are added or removed
 */
public record DeployedQueue(Queue kind, int number) {
  public DeployedQueue {
    if (number < 1) {
      throw new IllegalArgumentException("Queues are counted from 1.");
    }
  }

  /** The queue's name within the service, such as {@code actions} or {@code actions-2}. */
  public String wire() {
    return number == 1 ? kind.wire() : kind.wire() + "-" + number;
  }

  /**
   * The queue's name in AWS, such as {@code governance-actions.fifo} or {@code
   * governance-actions-2.fifo}.
   */
  public String wireName(String prefix) {
    return prefix + "-" + wire() + suffix();
  }

  /**
   * The name of the dead-letter queue in AWS, such as {@code governance-actions-dead.fifo} or
   * {@code governance-actions-2-dead.fifo}.
   */
  public String deadLetterName(String prefix) {
    return prefix + "-" + wire() + "-dead" + suffix();
  }

  private String suffix() {
    return kind.fifo() ? ".fifo" : "";
  }
}
