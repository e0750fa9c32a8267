package io.actiongovernance.id;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where traces stand, as W3C Trace Context has it (contract for agents, section 7). */
final class TraceParentTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @Test
  void aTraceparentIsReadAndWrittenUnchanged() {
    TraceParent read = TraceParent.parse("00-" + TRACE + "-" + SPAN + "-01").orElseThrow();
    assertThat(read).isEqualTo(new TraceParent(TRACE, SPAN, 1));
    assertThat(read.isSampled()).isTrue();
    assertThat(read.wire()).isEqualTo("00-" + TRACE + "-" + SPAN + "-01");
    assertThat(Json.read(Json.write(read), TraceParent.class)).isEqualTo(read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e47361-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,"
            + "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      })
  void aMalformedTraceparentIsIgnored(String text) {
    assertThat(TraceParent.parse(text)).isEmpty();
    assertThat(TraceParent.parse(null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cc-%s-%s-01", "cc-%s-%s-01-what-the-future-says", "01-%s-%s-01"})
  void aLaterVersionIsReadByItsCommonFields(String text) {
    assertThat(TraceParent.parse(text.formatted(TRACE, SPAN)))
        .contains(new TraceParent(TRACE, SPAN, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "00,00,false",
    "01,01,true",
    "02,02,false",
    "03,03,true",
    "ff,03,true",
    "fc,00,false"
  })
  void onlyDefinedFlagsArePassedOn(String said, String sent, boolean sampled) {
    TraceParent read = TraceParent.parse("00-" + TRACE + "-" + SPAN + "-" + said).orElseThrow();
    assertThat(read.child("b7ad6b7169203331").wire())
        .isEqualTo("00-" + TRACE + "-b7ad6b7169203331-" + sent);
    assertThat(read.isSampled()).isEqualTo(sampled);
  }

  @Test
  void theIdOfASpanIsMadeOfItsKindAndItsAction() {
    Ids ids = new Ids(InstantSource.system(), new SecureRandom());
    ActionId action = ActionId.next(ids);
    assertThat(SpanKind.EXECUTE_TOOL.spanId(action))
        .isEqualTo(SpanKind.EXECUTE_TOOL.spanId(new ActionId(action.value())))
        .isNotEqualTo(SpanKind.INVOKE_PLAN.spanId(action))
        .isNotEqualTo(SpanKind.EXECUTE_TOOL.spanId(ActionId.next(ids)))
        .matches("[0-9a-f]{16}");
    assertThat(SpanKind.AWAIT_APPROVAL_ALONE.traceId(action)).matches("[0-9a-f]{32}");
  }
}
