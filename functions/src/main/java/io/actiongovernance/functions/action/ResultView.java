package io.actiongovernance.functions.action;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.result.KeptResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A result as it is answered (contract for agents, section 1). */
@Doc("The result of an action's call.")
record ResultView(
    @Field(doc = "Always `action_result`.", constant = "action_result") String object,
    ActionId actionId,
    @Field(
            doc = "Content type, as the source system states it; null if it states none.",
            example = "application/json")
        @Nullable String contentType,
    @Field(doc = "Encoding of `body`: `base64` if the bytes are not UTF-8, else `text`.")
        KeptResult.Encoding encoding,
    @Field(doc = "The source system's answer, without credentials.", example = "{\"count\":3}")
        String body,
    @Field(
            doc =
                "True if `body` is only the beginning of the answer. This applies to answers"
                    + " over 4 MiB, and to those that would make this response larger than 4.6 MB.")
        boolean truncated,
    @Field(
            doc = "Size in bytes of the whole answer, as far as it was read: up to 4 MiB.",
            min = 0,
            example = "11")
        long bytes,
    @Field(
            doc =
                "SHA-256 (hex) of the whole answer, as far as it was read; the receipt has it"
                    + " as `result_sha256`.",
            pattern = "[0-9a-f]{64}",
            example = "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f")
        String sha256,
    @Field(doc = "Time until which the result can be read, RFC 3339.") Instant expiresAt) {

  /** The most bytes of an answer: encoded, as large ones are, they fit in Lambda's 6 MB. */
  private static final int LONGEST_ANSWER = 4_650_000;

  /** The rest of the answer, without the body, takes fewer bytes. */
  private static final int REST = 2_000;

  static ResultView of(KeptResult result) {
    KeptResult fitting = fitting(result);
    return new ResultView(
        "action_result",
        fitting.actionId(),
        fitting.contentType(),
        fitting.content().encoding(),
        fitting.content().body(),
        fitting.truncated(),
        fitting.size(),
        fitting.sha256(),
        fitting.expiresAt());
  }

  /** Shortens the body until the answer fits; a text's written length depends on its content. */
  private static KeptResult fitting(KeptResult result) {
    KeptResult fitting = result;
    int length = written(fitting);
    while (length > LONGEST_ANSWER - REST) {
      long most = (long) fitting.content().size() * (LONGEST_ANSWER - REST) / length;
      fitting = fitting.first((int) most);
      length = written(fitting);
    }
    return fitting;
  }

  private static int written(KeptResult result) {
    return Json.write(result.content().body()).getBytes(StandardCharsets.UTF_8).length;
  }
}
