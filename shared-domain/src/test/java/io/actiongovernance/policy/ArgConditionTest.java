package io.actiongovernance.policy;

import static io.actiongovernance.policy.Truth.FAILS;
import static io.actiongovernance.policy.Truth.HOLDS;
import static io.actiongovernance.policy.Truth.UNDECIDABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgConditionTest {
  private static ArgCondition read(String condition) {
    return ArgCondition.read(new Fields(Given.json(condition), "args[0]", true));
  }

  private static Truth test(String op, String operand, String found) {
    return read("{'path':'/x','op':'" + op + "','value':" + operand + "}")
        .test(Given.json("{'x':" + found + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "eq; 1; 1; HOLDS",
        "eq; 1; 1.0; HOLDS",
        "eq; 1e2; 100; HOLDS",
        "eq; 1; 2; FAILS",
        "eq; 9007199254740993; 9007199254740992; FAILS",
        "eq; 0.1; 0.10000000000000000000001; FAILS",
        "eq; 'usd'; 'usd'; HOLDS",
        "eq; 'usd'; 'USD'; FAILS",
        "eq; true; true; HOLDS",
        "eq; true; false; FAILS",
        "eq; [1,{'a':2}]; [1.0,{'a':2.00}]; HOLDS",
        "eq; [1,2]; [2,1]; FAILS",
        "eq; [1]; ['1']; FAILS",
        "eq; null; null; HOLDS",
        "eq; null; 1; FAILS",
        "ne; null; 1; HOLDS",
        "ne; 1; 2; HOLDS",
        "ne; 1; 1.0; FAILS",
        "lt; 5; 4; HOLDS",
        "lt; 5; 5; FAILS",
        "lte; 5; 5; HOLDS",
        "lte; 5; 5.01; FAILS",
        "gt; 5; 5.01; HOLDS",
        "gt; 5; 5; FAILS",
        "gte; 5; 5; HOLDS",
        "gte; 5; 4; FAILS",
        "gt; '10.00'; '9'; FAILS",
        "gt; '10.00'; '10.001'; HOLDS",
        "gt; '10'; 11; HOLDS",
        "lt; 10; '9.99'; HOLDS",
        "lt; 10; -3; HOLDS",
        "in; ['a','b']; 'b'; HOLDS",
        "in; ['a','b']; 'c'; FAILS",
        "in; [1,'a']; 1.0; HOLDS",
        "not_in; ['a','b']; 'c'; HOLDS",
        "not_in; ['a','b']; 'b'; FAILS",
        "prefix; 'ab'; 'abc'; HOLDS",
        "prefix; 'ab'; 'ba'; FAILS",
        "exists; true; 1; HOLDS",
        "exists; true; null; HOLDS",
        "exists; false; 1; FAILS"
      })
  void anArgumentIsComparedWithTheOperand(String op, String operand, String found, Truth expected) {
    assertThat(test(op, operand, found)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "eq; '1'; 1",
        "eq; 1; '1'",
        "ne; '1'; 1",
        "eq; 'usd'; null",
        "ne; 'usd'; ['usd']",
        "in; ['1','2']; 1",
        "not_in; ['1','2']; 1",
        "lt; 5; 'five'",
        "lt; 5; '1e0'",
        "lt; 5; ''",
        "gte; 5; true",
        "gt; 5; null",
        "gt; 5; [6]",
        "prefix; 'a'; 1",
        "prefix; 'a'; ['a']"
      })
  void aValueOfAnotherTypeCannotBeCompared(String op, String operand, String found) {
    assertThat(test(op, operand, found)).isEqualTo(UNDECIDABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "eq; 1",
        "eq; null",
        "ne; 1",
        "ne; null",
        "lt; 1",
        "lte; 1",
        "gt; 1",
        "gte; 1",
        "in; [1]",
        "not_in; [1]",
        "prefix; 'a'"
      })
  void aMissingValueCannotBeCompared(String op, String operand) {
    assertThat(
            read("{'path':'/y','op':'" + op + "','value':" + operand + "}")
                .test(Given.json("{'x':1}")))
        .isEqualTo(UNDECIDABLE);
  }

  @Test
  void existenceCanAlwaysBeEvaluated() {
    assertThat(read("{'path':'/y','op':'exists'}").test(Given.json("{}"))).isEqualTo(FAILS);
    assertThat(read("{'path':'/y','op':'exists','value':false}").test(Given.json("{}")))
        .isEqualTo(HOLDS);
    assertThat(read("{'path':'/a/b','op':'exists'}").test(Given.json("{'a':1}"))).isEqualTo(FAILS);
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, 1",
    "/list/0, 2",
    "/list/1/c, 3",
    "/~1slash, 4",
    "/~0tilde, 5",
    "/~01, 6",
    "/, 7",
    "/0, 8"
  })
  void pathsArePointersOfRfc6901(String path, int found) {
    var args =
        Given.json("{'a':{'b':1},'list':[2,{'c':3}],'/slash':4,'~tilde':5,'~1':6,'':7,'0':8}");
    assertThat(read("{'path':'" + path + "','op':'eq','value':" + found + "}").test(args))
        .isEqualTo(HOLDS);
  }

  @Test
  void theEmptyPathIsTheWholeDocument() {
    assertThat(read("{'path':'','op':'eq','value':{'a':1}}").test(Given.json("{'a':1.0}")))
        .isEqualTo(HOLDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a/b", "/~", "/~2", "/a~", "#/a"})
  void aPathThatIsNoJsonPointerIsRefused(String path) {
    assertRefused("{'path':'" + path + "','op':'exists'}", "args[0].path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{'op':'eq','value':1}; args[0].path",
        "{'path':1,'op':'eq','value':1}; args[0].path",
        "{'path':'/a','value':1}; args[0].op",
        "{'path':'/a','op':'matches','value':1}; args[0].op",
        "{'path':'/a','op':'EQ','value':1}; args[0].op",
        "{'path':'/a','op':'eq'}; args[0].value",
        "{'path':'/a','op':'lt'}; args[0].value",
        "{'path':'/a','op':'lt','value':'five'}; args[0].value",
        "{'path':'/a','op':'lt','value':true}; args[0].value",
        "{'path':'/a','op':'in','value':'a'}; args[0].value",
        "{'path':'/a','op':'in','value':[]}; args[0].value",
        "{'path':'/a','op':'prefix','value':1}; args[0].value",
        "{'path':'/a','op':'prefix','value':''}; args[0].value",
        "{'path':'/a','op':'exists','value':1}; args[0].value",
        "{'path':'/a','op':'eq','value':1,'flags':'i'}; args[0].flags"
      })
  void badFieldsAreNamed(String condition, String param) {
    assertRefused(condition, param);
  }

  private static void assertRefused(String condition, String param) {
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> read(condition))
        .satisfies(e -> assertThat(e.refusal().path()).isEqualTo(param));
  }
}
