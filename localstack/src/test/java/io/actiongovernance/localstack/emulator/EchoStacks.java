package io.actiongovernance.localstack.emulator;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** Templates with the function {@link Echo}, its code, and its answers. */
final class EchoStacks {
  private EchoStacks() {}

  /**
   * A template of the function with a version and an alias, {@code live}.
   *
   * @param version the logical identifier of the version
   * @param word which the function answers
   */
  static String template(String function, String version, String word) {
    return """
    {'Resources':{
      'Role':{'Type':'AWS::IAM::Role','Properties':{'RoleName':'%1$s',
        'AssumeRolePolicyDocument':{'Statement':[{'Effect':'Allow','Action':'sts:AssumeRole',
          'Principal':{'Service':'lambda.amazonaws.com'}}]}}},
      'Function':{'Type':'AWS::Lambda::Function','Properties':{
        'FunctionName':'%1$s','Runtime':'java25','Handler':'%2$s','Timeout':30,
        'Code':{'S3Bucket':'templates','S3Key':'echo.zip'},
        'Role':{'Fn::GetAtt':['Role','Arn']},'Environment':{'Variables':{'WORD':'%3$s'}}}},
      '%4$s':{'Type':'AWS::Lambda::Version','Properties':{'FunctionName':{'Ref':'Function'}}},
      'Live':{'Type':'AWS::Lambda::Alias','Properties':{'Name':'live',
        'FunctionName':{'Ref':'Function'},'FunctionVersion':{'Fn::GetAtt':['%4$s','Version']}}}}}
    """
        .formatted(function, Echo.class.getName(), word, version);
  }

  /** The function of the template with that word, without version and alias. */
  static String plain(String template, String word) {
    String function = template.substring(0, template.indexOf("'First'")).strip();
    return (function.substring(0, function.length() - 1) + "}}").replace("'one'", "'" + word + "'");
  }

  /** The answer of the function to an event. */
  static String invoked(Stacked stacks, String function, String event) {
    try (LambdaClient client = Aws.client(LambdaClient.builder(), stacks.address())) {
      return Json.read(
              client
                  .invoke(
                      invoke ->
                          invoke.functionName(function).payload(SdkBytes.fromUtf8String(event)))
                  .payload()
                  .asUtf8String())
          .asText();
    }
  }

  /** The code of the function. */
  static byte[] zip() throws IOException {
    return zipped("lib/echo.jar", jar());
  }

  /** What the zip holds. */
  static byte[] jar() throws IOException {
    return zipped(Echo.class.getName().replace('.', '/') + ".class", bytes());
  }

  private static byte[] bytes() throws IOException {
    try (InputStream in = Echo.class.getResourceAsStream("Echo.class")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  private static byte[] zipped(String name, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
      zip.closeEntry();
    }
    return bytes.toByteArray();
  }
}
