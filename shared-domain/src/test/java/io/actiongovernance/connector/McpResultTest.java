package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an inverse may name of a result (contract, section 5). */
class McpResultTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'structuredContent':{'id':'r'}} | {'id':'r','structuredContent':{'id':'r'}}",
        "{'content':[{'text':'{\\u0022id\\u0022:7}'}]} | {'id':7,'content':[{'text':'{\\u0022id\\u0022:7}'}]}",
        "{'structuredContent':{'content':1},'content':[]} | {'structuredContent':{'content':1},'content':[]}",
        "{'content':[{'text':'done'}]} | {'content':[{'text':'done'}]}",
        "{'content':[{'text':'{}'},{'text':'{}'}]} | {'content':[{'text':'{}'},{'text':'{}'}]}",
        "{'structuredContent':[1]} | {'structuredContent':[1]}",
      })
  void jsonContentIsMergedBesideTheResultsOwnMembers(String result, String named) {
    assertThat(McpResult.withMembers(json(result))).isEqualTo(json(named));
  }
}
