package io.actiongovernance.localstack.acceptance.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What clients were answered, and why some were not. Thread-safe. */
final class Heard implements Load.Witness {
  private final List<Answer> refused = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final Map<Integer, Integer> statuses = new TreeMap<>();

  @Override
  public synchronized void answered(Answer answer) {
    statuses.merge(answer.status(), 1, Integer::sum);
    if (answer.status() >= 500 || answer.status() == 429) {
      refused.add(answer);
    }
  }

  @Override
  public synchronized void failed(Throwable why) {
    failures.add(why);
  }

  /** How many answers there were of each status since this was last asked. */
  synchronized Map<Integer, Integer> statuses() {
    Map<Integer, Integer> copy = new TreeMap<>(statuses);
    statuses.clear();
    return copy;
  }

  /**
   * Requires that every request was answered, and none refused for want of the service: but for an
   * approval of what takes longer than a request may, which goes on (contract, section 3).
   */
  synchronized void verify() {
    assertThat(failures).isEmpty();
    assertThat(refused)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).as("%s", answer).isEqualTo(503);
              assertThat(answer.request()).as("%s", answer).endsWith("/approve");
              assertThat(answer.header("Retry-After")).as("%s", answer).isNotEmpty();
            });
  }
}
