package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.export.ExportFiles;
import io.actiongovernance.export.ExportFormat;
import io.actiongovernance.functions.aws.Wire.Attempt;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.time.Timer;
import io.actiongovernance.time.TimerKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** An outage of any service is answered like one of the store: try again later. */
final class UnavailableTest {
  private static final String MACHINES = "arn:aws:states:us-east-1:1:stateMachine:";
  private static final Timer TIMER =
      new Timer(TimerKind.PLAN_EXPIRY, "pl_1", Instant.parse("2026-11-20T21:44:07Z"), Map.of());

  static Stream<Attempt> trouble() {
    return Stream.of(
        Attempt.LOST,
        Attempt.error(500, "InternalServerError"),
        Attempt.error(400, "ThrottlingException"));
  }

  private static StepFunctionsTimers timers(Attempt attempt) {
    return new StepFunctionsTimers(new Wire(attempt).clients().stepFunctions(), MACHINES, "test");
  }

  private static S3ExportFiles files(Attempt attempt) {
    Clients clients = new Wire(attempt).clients();
    return new S3ExportFiles(clients.s3(), clients.presigner(), "bucket");
  }

  private static void requireUnavailable(ThrowingCallable request) {
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(request)
        .withCauseInstanceOf(SdkException.class);
  }

  /** A key that is disabled, and a role that IAM does not know yet, are no outcome either. */
  static Stream<Attempt> troubleOfKeys() {
    return Stream.concat(
        trouble(),
        Stream.of(
            Attempt.error(400, "DisabledException"),
            Attempt.error(400, "KMSInvalidStateException"),
            Attempt.error(400, "AccessDeniedException")));
  }

  @ParameterizedTest
  @MethodSource("troubleOfKeys")
  void keyServiceTroubleIsUnavailable(Attempt attempt) {
    KmsKeyService keys = new KmsKeyService(new Wire(attempt).clients().kms(), "arn:key");
    requireUnavailable(() -> keys.make(Map.of("purpose", "result")));
    requireUnavailable(() -> keys.unwrap("AAAA", Map.of("purpose", "result")));
  }

  @ParameterizedTest
  @MethodSource("trouble")
  void timerTroubleIsUnavailable(Attempt attempt) {
    requireUnavailable(() -> timers(attempt).start(TIMER));
    requireUnavailable(() -> timers(attempt).stop(TIMER.kind(), TIMER.name()));
  }

  @Test
  void anExistingOrFinishedTimerIsNoError() {
    timers(Attempt.error(400, "ExecutionAlreadyExists")).start(TIMER);
    timers(Attempt.error(400, "ExecutionDoesNotExist")).stop(TIMER.kind(), TIMER.name());
  }

  @ParameterizedTest
  @MethodSource("trouble")
  void filesThatCannotBeWrittenAreUnavailable(Attempt attempt) throws IOException {
    byte[] more = new byte[S3ExportFiles.PART + 1];
    try (ExportFiles.Upload small = files(attempt).begin("small", "small", ExportFormat.CSV)) {
      small.write(more, 0, 10);
      requireUnavailable(small::commit);
    }
    try (ExportFiles.Upload large = files(attempt).begin("large", "large", ExportFormat.CSV)) {
      requireUnavailable(() -> large.write(more, 0, more.length));
    }
  }

  @Test
  void aLinkThatCannotBeSignedIsUnavailable() {
    S3Presigner unsigned =
        S3Presigner.builder()
            .region(Region.US_EAST_1)
            .credentialsProvider(
                () -> {
                  throw SdkClientException.create("There are no credentials, on purpose.");
                })
            .build();
    S3ExportFiles files =
        new S3ExportFiles(new Wire(Attempt.LOST).clients().s3(), () -> unsigned, "bucket");
    requireUnavailable(() -> files.link("file", Duration.ofMinutes(1)));
  }
}
