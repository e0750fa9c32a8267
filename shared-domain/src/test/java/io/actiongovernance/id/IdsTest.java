package io.actiongovernance.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {
  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final Ids ids = new Ids(() -> now, new Random(42));

  @Test
  void aBodyIs26CharactersOfCrockfordBase32() {
    for (int at = 0; at < 1_000; at++) {
      assertThat(ids.next()).matches("[0-9a-hjkmnp-tv-z]{26}");
    }
  }

  @Test
  void identifiersSortInTheOrderTheyWereMade() {
    List<String> made = new ArrayList<>();
    for (int at = 0; at < 3_000; at++) {
      // Mostly within one millisecond, and now and then the clock steps on, or back.
      now = at % 100 == 99 ? now.plusMillis(at % 200 == 199 ? 2 : -1) : now;
      made.add(ids.next());
    }
    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aBodyContainsItsCreationTime() {
    assertThat(Ids.timeOf(ids.next())).isEqualTo(now);
  }

  @Test
  void theFloorOfAnInstantIsBelowAllMadeAtItAndAboveAllMadeBefore() {
    String before = ids.next();
    now = now.plusMillis(1);
    assertThat(Ids.floor(now)).isGreaterThan(before).isLessThanOrEqualTo(ids.next());
    assertThat(Ids.floor(Instant.parse("0001-01-01T00:00:00Z"))).isEqualTo("0".repeat(26));
    assertThat(Ids.isMinted("", Ids.floor(Instant.parse("9999-12-31T23:59:59Z")))).isTrue();
  }

  @Test
  void differentSourcesOfRandomnessMakeDifferentIdentifiers() {
    assertThat(new Ids(() -> now, new Random(1)).next())
        .isNotEqualTo(new Ids(() -> now, new Random(2)).next());
  }

  @Test
  void anIdentifierIsAPrefixAndABody() {
    ActionId id = ActionId.next(ids);
    assertThat(id.value()).startsWith("act_").hasSize(30);
    assertThat(ActionId.parse(id.value())).contains(id);
    assertThat(id).hasToString(id.value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"act_nope", "act_01JD0000000000000000000000", "act_order-1042.b:c"})
  void anOutsideIdOnlyNeedsItsPrefix(String text) {
    assertThat(ActionId.parse(text)).contains(new ActionId(text));
    assertThat(Ids.isMinted("act_", text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "act_",
        "act_a#b",
        "01jd0000000000000000000000",
        "pl_01jd0000000000000000000000",
        "ACT_01jd0000000000000000000000",
        "act_01jd00000000000000000000 0",
        "act_01jd0000000000000000000\u0000\u00000"
      })
  void textThatIsNoIdOfThisTypeIsRefused(String text) {
    assertThat(ActionId.parse(text)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new ActionId(text));
  }
}
