package io.actiongovernance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PackedTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "x", "{}", "ü€😀", "{\"object\":\"receipt\",\"kind\":\"action\"}"})
  void aTextIsUnpackedUnchanged(String text) {
    assertThat(Packed.of(text).text()).isEqualTo(text);
    assertThat(Packed.stored(Packed.of(text).bytes())).isEqualTo(Packed.of(text));
  }

  @Test
  void aLargeTextIsUnpackedUnchanged() {
    String text = "{\"a\":\"b\"},".repeat(100_000);
    assertThat(Packed.of(text).text()).isEqualTo(text);
    assertThat(Packed.of(text).size()).isLessThan(text.length() / 50);
  }

  @Test
  void aTextThatGrowsWhenDeflatedIsStoredRaw() {
    assertThat(Packed.of("q").size()).isLessThanOrEqualTo(3);
  }

  @Test
  void aStoredTextReadsTheSameInEveryRelease() {
    // Written by the release that made the first dictionary; changing that loses data.
    byte[] stored = java.util.HexFormat.of().parseHex(STORED);
    assertThat(Packed.stored(stored).text())
        .isEqualTo("{\"object\":\"receipt\",\"kind\":\"action\",\"outcome\":\"applied\"}");
  }

  @Test
  void textsOfALaterReleaseOrCutShortAreNotRead() {
    byte[] later = Packed.of("{\"object\":\"receipt\"}").bytes();
    later[0] = 9;
    assertThatThrownBy(() -> Packed.stored(later).text())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("later release");
    byte[] whole = Packed.of("{\"object\":\"receipt\",\"kind\":\"action\"}".repeat(9)).bytes();
    byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 3);
    assertThatThrownBy(() -> Packed.stored(cut).text()).isInstanceOf(IllegalStateException.class);
  }

  private static final String STORED = "01ab26afdca80500";
}
