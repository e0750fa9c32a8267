package io.actiongovernance.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The command of {@code docs/receipts.md} by which any reader recomputes the hash of a receipt, as
 * it stands there, on receipts of all kinds (contract, section 6).
 */
class ReceiptHashTest {
  private static final Path PAGE = Path.of("..", "docs", "receipts.md");
  private static final String FETCH = "api /v1/receipts/rc_… | ";

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "0.00",
          "-0.0",
          "42",
          "42.00",
          "0.10",
          "-7.50",
          "1e3",
          "1E+3",
          "1.5e-7",
          "100",
          "1e400",
          "-1e-400",
          "9007199254740993",
          "123456789012345678901234567890.123456789012345678901234567890",
          "1".repeat(100));

  private static final List<String> TEXTS =
      List.of(
          "",
          "plain",
          "quote \" backslash \\ slash /",
          "\b\t\n\f\r\u0000\u001f\u007f",
          "Grüße, 東京, \u00e9 and e\u0301",
          "\ud83d\ude00 \u2028 \u2029 \ufeff \u200b",
          "<script>&'\u00a0");

  private final Ids ids = new Ids(new TestTime(), new Random(7));
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);

  @Test
  void theCommandRecomputesTheHashOfEveryReceipt() throws Exception {
    List<Receipt> receipts = receipts();
    List<String> wanted = receipts.stream().map(receipt -> receipt.id() + " True").toList();
    assertThat(run(receipts.stream().map(receipt -> Json.write(receipt.document())).toList()))
        .containsExactlyElementsOf(wanted);
  }

  @Test
  void theCommandFindsAChangedReceipt() throws Exception {
    List<String> changed = new ArrayList<>();
    for (String value : List.of("42.000000000000000000000000000000000001", "43")) {
      Receipt receipt = draft().value(new BigDecimal("42")).seal(ReceiptId.next(ids));
      changed.add(Json.write(receipt.document().deepCopy().put("value", new BigDecimal(value))));
    }
    Receipt receipt = draft().seal(ReceiptId.next(ids));
    changed.add(Json.write(receipt.document().deepCopy().put("note", "e")));
    assertThat(run(changed)).hasSize(3).allMatch(said -> said.endsWith(" False"));
  }

  private ReceiptDraft draft() {
    return new ReceiptDraft(partition, Receipt.Kind.ACTION, ReceiptOutcome.APPLIED);
  }

  private List<Receipt> receipts() {
    List<Receipt> receipts = new ArrayList<>();
    for (Receipt.Kind kind : Receipt.Kind.values()) {
      for (ReceiptOutcome outcome : ReceiptOutcome.values()) {
        receipts.add(new ReceiptDraft(partition, kind, outcome).seal(ReceiptId.next(ids)));
      }
    }
    for (String number : NUMBERS) {
      receipts.add(draft().value(new BigDecimal(number)).seal(ReceiptId.next(ids)));
    }
    for (String text : TEXTS) {
      Principal principal = new Principal(Principal.Type.KEY, "key_1", text, null);
      receipts.add(
          draft()
              .with("note", text)
              .with("entity_key", text)
              .decidedBy(List.of(Decider.by(principal, text, new TestTime().instant())))
              .seal(ReceiptId.next(ids)));
    }
    // By code units a pair of surrogates comes before U+FB01, by code points after it.
    ObjectNode target = Json.object();
    for (String key : List.of("\ufb01", "\ud83d\ude00", "é", "e", "E", "\t", "10", "9", "")) {
      target.put(key, 1);
    }
    receipts.add(draft().json("target", target).seal(ReceiptId.next(ids)));
    return receipts;
  }

  /** What the command says, line by line, of receipts as they are answered. */
  private static List<String> run(List<String> receipts) throws Exception {
    String page = Files.readString(PAGE);
    int from = page.indexOf(FETCH) + FETCH.length();
    String command = page.substring(from, page.indexOf("```", from));
    Path input = Files.createTempFile("receipts", ".jsonl");
    try {
      Files.write(input, receipts, StandardCharsets.UTF_8);
      Process process;
      try {
        process =
            new ProcessBuilder("sh", "-c", command)
                .redirectInput(input.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
      } catch (IOException e) {
        throw new IllegalStateException("No shell here.", e);
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      boolean missing = process.exitValue() == 127;
      assertThat(missing && "true".equals(System.getenv("CI"))).as("No python3 here.").isFalse();
      assumeTrue(!missing, "No python3 here.");
      assertThat(process.exitValue()).isZero();
      return said.lines().toList();
    } finally {
      Files.delete(input);
    }
  }
}
