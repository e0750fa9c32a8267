package io.actiongovernance.functions.queue;

/**
 * A queue of a deployment. Most kinds have one queue; actions have as many as its environment
 * states.
 *
 * @param number counted from 1. The first has the name of a single queue, so that it stays when
 *     others are added or removed
 */
public record DeployedQueue(Queue kind, int number) {
  public DeployedQueue {
    if (number < 1) {
      throw new IllegalArgumentException("Queues are counted from 1.");
    }
  }

  /** {@code actions}, {@code actions-2}. */
  public String wire() {
    return number == 1 ? kind.wire() : kind.wire() + "-" + number;
  }

  /** {@code governance-actions.fifo}, {@code governance-actions-2.fifo}. */
  public String wireName(String prefix) {
    return prefix + "-" + wire() + suffix();
  }

  /** {@code governance-actions-dead.fifo}, {@code governance-actions-2-dead.fifo}. */
  public String deadLetterName(String prefix) {
    return prefix + "-" + wire() + "-dead" + suffix();
  }

  private String suffix() {
    return kind.fifo() ? ".fifo" : "";
  }
}
