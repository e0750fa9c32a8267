package io.actiongovernance.result;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.result.KeptResult.Encoding;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemSize;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How results are kept, and for how long (contract for agents, section 1). */
final class ResultsTest {
  private static final int IN_TABLE = Results.LONGEST_IN_TABLE;

  private final InMemoryStore store = new InMemoryStore();
  private final ConnectorFixture it = new ConnectorFixture(store);
  private final InMemoryResultFiles files = new InMemoryResultFiles();
  private final Results results = LoopFixture.results(store, files, it.time);
  private final ActionId action = ActionId.next(it.ids);

  private String keep(WholeAnswer answer) {
    return results.keep(
        results.sealing(it.partition),
        it.partition,
        action,
        answer,
        it.time.instant().plusSeconds(5));
  }

  private KeptResult kept(String sha256) {
    return results.find(it.partition, action, sha256).orElseThrow();
  }

  private static WholeAnswer text(String text) {
    return new WholeAnswer("text/plain", text.getBytes(UTF_8), false);
  }

  private static WholeAnswer bytes(@Nullable String type, byte[] bytes) {
    return new WholeAnswer(type, bytes, false);
  }

  @Test
  void aResultIsKeptForADay() {
    Instant now = it.time.instant();
    String sha256 = keep(text("{\"count\":3}"));
    KeptResult kept = kept(sha256);
    assertThat(kept.content().body()).isEqualTo("{\"count\":3}");
    assertThat(kept.content().encoding()).isEqualTo(Encoding.TEXT);
    assertThat(kept.contentType()).isEqualTo("text/plain");
    assertThat(kept.truncated()).isFalse();
    assertThat(kept.size()).isEqualTo(11);
    assertThat(kept.sha256())
        .isEqualTo("0c07187ea6d064441225b3cba26a7b1e8bc702fcf332b457dae8e26892ba68a6");
    assertThat(kept.expiresAt())
        .isEqualTo(now.plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS));
    it.time.sleep(Duration.ofDays(1));
    assertThat(results.find(it.partition, action, sha256)).isEmpty();
  }

  @Test
  void bytesThatAreNoTextAreBase64() {
    KeptResult kept = kept(keep(bytes("image/png", new byte[] {(byte) 0x89, 'P', 'N', 'G'})));
    assertThat(kept.content().encoding()).isEqualTo(Encoding.BASE64);
    assertThat(kept.content().body()).isEqualTo("iVBORw==");
    assertThat(kept.size()).isEqualTo(4);
  }

  @Test
  void anEmptyAnswerIsAResult() {
    KeptResult kept = kept(keep(bytes(null, new byte[0])));
    assertThat(kept.content().body()).isEmpty();
    assertThat(kept.contentType()).isNull();
    assertThat(kept.truncated()).isFalse();
  }

  @Test
  void aResultInTheTableIsSealed() {
    keep(text("the patient's name"));
    for (Item item : store.everything()) {
      assertThat(item.toString()).doesNotContain("patient", "text/plain");
    }
  }

  @Test
  void aResultOpensOnlyForItsActionAndPartition() {
    String sha256 = keep(text("secret"));
    assertThat(results.find(it.partition, ActionId.next(it.ids), sha256)).isEmpty();
    Partition test = new Partition(it.partition.tenant(), Mode.TEST);
    assertThat(results.find(test, action, sha256)).isEmpty();
    assertThat(results.find(it.partition, action, "0".repeat(64))).isEmpty();
  }

  @Test
  void aShortResultIsInTheTableOnly() {
    String sha256 = keep(text("x".repeat(Results.SHORT)));
    assertThat(files.files).isEmpty();
    assertThat(kept(sha256).content().size()).isEqualTo(Results.SHORT);
  }

  @Test
  void upToAQuarterMebibyteFitsIntoAnItemWithoutTheBucket() {
    files.away = true;
    String sha256 = keep(text("x".repeat(IN_TABLE)));
    assertThat(kept(sha256).truncated()).isFalse();
    assertThat(kept(sha256).content().size()).isEqualTo(IN_TABLE);
    assertThat(store.everything()).allMatch(item -> ItemSize.of(item) < ItemSize.MOST);
  }

  @Test
  void aLargerResultIsInASealedFile() {
    String large = "patient ".repeat(WholeAnswer.LONGEST / 8);
    keep(text("x".repeat(Results.SHORT + 1)));
    assertThat(files.files).hasSize(1);
    KeptResult kept = kept(keep(text(large)));
    assertThat(files.files).hasSize(2);
    assertThat(files.files.keySet()).allMatch(name -> name.startsWith(Results.FOLDER));
    assertThat(files.files.values()).noneMatch(file -> file.contains("patient"));
    assertThat(kept.content().body()).isEqualTo(large);
    assertThat(kept.truncated()).isFalse();
  }

  @Test
  void aCutResultKeepsItsBeginning() {
    byte[] read = new byte[WholeAnswer.LONGEST];
    Arrays.fill(read, (byte) 'x');
    KeptResult kept = kept(keep(new WholeAnswer("text/plain", read, true)));
    assertThat(files.files).isEmpty();
    assertThat(kept.truncated()).isTrue();
    assertThat(kept.content().size()).isEqualTo(IN_TABLE);
    assertThat(kept.size()).isEqualTo(WholeAnswer.LONGEST);
  }

  /** What an MCP server answers is read further than it is kept. */
  @Test
  void anOverlongResultHasTheSizeAndHashOfTheWhole() {
    String text = "x".repeat(WholeAnswer.LONGEST + 1);
    KeptResult kept = kept(keep(text(text)));
    assertThat(files.files).isEmpty();
    assertThat(kept.truncated()).isTrue();
    assertThat(kept.content().size()).isEqualTo(IN_TABLE);
    assertThat(kept.size()).isEqualTo(text.length());
    assertThat(kept.sha256()).isEqualTo(CanonicalJson.sha256(text));
  }

  @Test
  void aTextIsNotCutWithinACharacter() {
    String text = "x" + "é".repeat(IN_TABLE);
    files.away = true;
    KeptResult kept = kept(keep(text(text)));
    assertThat(kept.content().encoding()).isEqualTo(Encoding.TEXT);
    assertThat(kept.content().body()).isEqualTo(text.substring(0, IN_TABLE / 2));
    assertThat(kept.truncated()).isTrue();
  }

  @Test
  void aTextCutWithinACharacterIsStillText() {
    byte[] read = ("x" + "é".repeat(WholeAnswer.LONGEST / 2)).getBytes(UTF_8);
    byte[] cut = Arrays.copyOf(read, WholeAnswer.LONGEST);
    KeptResult kept = kept(keep(new WholeAnswer(null, cut, true)));
    assertThat(kept.content().encoding()).isEqualTo(Encoding.TEXT);
  }

  @Test
  void withoutTheBucketTheBeginningIsKept() {
    files.away = true;
    KeptResult kept = kept(keep(text("x".repeat(IN_TABLE + 1))));
    assertThat(kept.truncated()).isTrue();
    assertThat(kept.content().size()).isEqualTo(IN_TABLE);
    assertThat(kept.size()).isEqualTo(IN_TABLE + 1);
  }

  @Test
  void theBucketIsNotWaitedForBeyondTheCallsTime() {
    WholeAnswer large = text("x".repeat(IN_TABLE + 1));
    String sha256 =
        results.keep(results.sealing(it.partition), it.partition, action, large, it.time.instant());
    assertThat(files.files).isEmpty();
    assertThat(kept(sha256).truncated()).isTrue();
  }

  @Test
  void aPartDoesNotReplaceTheWholeResult() {
    WholeAnswer large = text("x".repeat(IN_TABLE + 1));
    String sha256 = keep(large);
    files.away = true;
    keep(large);
    assertThat(kept(sha256).truncated()).isFalse();
  }

  @Test
  void aRepeatedAnswerExtendsTheLifeOfItsResult() {
    String sha256 = keep(text("same"));
    it.time.sleep(Duration.ofHours(23));
    assertThat(keep(text("same"))).isEqualTo(sha256);
    it.time.sleep(Duration.ofHours(2));
    assertThat(kept(sha256).content().body()).isEqualTo("same");
  }

  @Test
  void anotherAnswerOfTheActionIsKeptBesideTheFirst() {
    String first = keep(text("first"));
    String second = keep(text("second"));
    assertThat(kept(first).content().body()).isEqualTo("first");
    assertThat(kept(second).content().body()).isEqualTo("second");
  }

  @Test
  void theBeginningOfAResultIsMarkedAsTruncated() {
    KeptResult kept = kept(keep(text("aé")));
    assertThat(kept.first(2).content().body()).isEqualTo("a");
    assertThat(kept.first(2).truncated()).isTrue();
    assertThat(kept.first(3)).isEqualTo(kept);
  }
}
