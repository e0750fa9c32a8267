package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Source.Timed;
import io.actiongovernance.functions.trigger.TimerHandler;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.trigger.Trigger.Load;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.time.Timers;
import io.actiongovernance.time.TimersContract;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;
import software.amazon.awssdk.services.sfn.model.InvalidNameException;
import software.amazon.awssdk.services.sfn.model.StateMachineDoesNotExistException;

/** The timers of a deployment, on the local stack's Step Functions. */
final class StepFunctionsTimersTest extends TimersContract {
  private static final String MACHINE = Settings.LOCAL_STATE_MACHINES + KIND.wireName("governance");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @SuppressWarnings("NullAway.Init") // before each
  private EmbeddedStack stack;

  /** The function of the kind, which this test is. */
  static final class Due extends TimerHandler {
    private final Function<Map<String, Object>, Optional<Instant>> test;

    Due(Function<Map<String, Object>, Optional<Instant>> test) {
      this.test = test;
    }

    @Override
    protected Optional<Instant> handle(Map<String, Object> timer) {
      return test.apply(timer);
    }
  }

  @BeforeEach
  void start() throws Exception {
    Binding binding =
        new Binding(
            "due", new Timed(KIND), _ -> new Due(this::due), new Load(1, Duration.ofSeconds(5), 4));
    stack = TestService.start(folder, binding);
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  @Override
  protected Timers timers() {
    return stack.wiring().timers();
  }

  @Override
  protected Instant now() {
    return Instant.now();
  }

  @Override
  protected void await(BooleanSupplier condition) {
    try {
      TestService.await(condition);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anExecutionIsDescribedAsOnAws() {
    SfnClient client = stack.wiring().clients().stepFunctions();
    String later = "{\"wait_until\":\"2100-01-01T00:00:00.000Z\",\"delivery_id\":\"dlv_1\"}";
    String arn =
        client
            .startExecution(r -> r.stateMachineArn(MACHINE).name("one").input(later))
            .executionArn();
    assertThat(arn).isEqualTo(MACHINE.replace("stateMachine", "execution") + ":one");
    var running = client.describeExecution(r -> r.executionArn(arn));
    assertThat(running.status()).isEqualTo(ExecutionStatus.RUNNING);
    assertThat(running.input()).isEqualTo(later);
    client.stopExecution(r -> r.executionArn(arn));
    assertThat(client.describeExecution(r -> r.executionArn(arn)).status())
        .isEqualTo(ExecutionStatus.ABORTED);
  }

  @Test
  void executionsThatAwsRefusesAreRefused() {
    SfnClient client = stack.wiring().clients().stepFunctions();
    assertThatThrownBy(
            () -> client.startExecution(r -> r.stateMachineArn(MACHINE).name("a/b").input("{}")))
        .isInstanceOf(InvalidNameException.class);
    String other = Settings.LOCAL_STATE_MACHINES + TimerKind.PLAN_EXPIRY.wireName("governance");
    assertThatThrownBy(
            () -> client.startExecution(r -> r.stateMachineArn(other).name("a").input("{}")))
        .isInstanceOf(StateMachineDoesNotExistException.class);
  }
}
