package io.actiongovernance.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.outcome.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connector says of its tools, and of itself. */
class ConnectorTest {
  private static final String TOOL =
      "{'name':'a.b','capability':'a','tier':%d,'input_schema':{},"
          + "'request':{'method':'%s','path':'/'}}";

  private final ConnectorFixture it = new ConnectorFixture();

  @ParameterizedTest
  @CsvSource({"0,GET,true", "0,POST,false", "0,DELETE,false", "1,GET,false"})
  void aToolReadsIfItIsOfTierZeroAndItsRequestReads(int tier, String method, boolean reads) {
    Connector shop =
        it.installed(
            ConnectorFixture.http(
                "shop", "https://shop.example", TOOL.formatted(tier, method), ""));
    assertThat(shop.isRead(shop.tools().getFirst())).isEqualTo(reads);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | false",
        ",'trust_hints':true | false",
        ",'tiers':{'mcp.read':0} | true",
        ",'tiers':{'mcp.read':1} | false",
      })
  void aToolOfAServerReadsIfItsOwnerSaysSo(String config, boolean reads) {
    Connector mcp = mcp(config);
    assertThat(mcp.isRead(mcp.tools().getFirst())).isEqualTo(reads);
  }

  /** A server with one tool, and this in the config besides the URL. */
  private Connector mcp(String more) {
    String listed = "{'name':'read','inputSchema':{},'annotations':{'readOnlyHint':true}}";
    McpTool read = McpTool.read(ConnectorFixture.json(listed)).orElseThrow();
    it.finding = new Finding.Passed(Duration.ZERO, List.of(read));
    return it.installed(
        "{'listing_id':'cn-mcp','name':'mcp','config':{'url':'https://mcp.example'%s}}"
            .formatted(more));
  }

  @Test
  void theReadsOfTheSandboxAreReads() {
    Connector box = box("{}");
    assertThat(box.tools())
        .allSatisfy(tool -> assertThat(box.isRead(tool)).isEqualTo(tool.tier() == 0));
  }

  private Connector box(String config) {
    return it.installed("{'listing_id':'cn-sandbox','name':'box','config':%s}".formatted(config));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | false",
        "['mcp.read'] | true",
        "['mcp.*'] | true",
        "['*'] | false",
        "['mcp.other','*.read'] | true",
      })
  void configNamesTheToolsWhoseErrorsMeanNothingHappened(String globs, boolean nothing) {
    Connector mcp = mcp(",'did_not_act':" + globs);
    assertThat(mcp.isErrorMeansNothingHappened(mcp.tools().getFirst())).isEqualTo(nothing);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{} | 60", "{'settle_seconds':0} | 0", "{'settle_seconds':900} | 900"})
  void configSetsHowLongAnEntitySettles(String config, long seconds) {
    assertThat(box(config).settle()).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void everyListingAcceptsSettleSeconds() {
    assertThat(mcp(",'settle_seconds':5").settle()).isEqualTo(Duration.ofSeconds(5));
    assertThat(it.listings.all())
        .allSatisfy(
            listing ->
                assertThat(listing.configSchema().json().at("/properties/settle_seconds/maximum"))
                    .as(listing.id())
                    .hasToString("900"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "901", "1.5", "'60'"})
  void settleSecondsAreAWholeNumberFrom0To900(String seconds) {
    assertThatThrownBy(() -> box("{'settle_seconds':" + seconds + "}"))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo("config.settle_seconds"));
  }
}
