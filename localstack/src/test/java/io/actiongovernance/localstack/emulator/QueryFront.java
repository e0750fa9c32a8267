package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;

/**
 * CloudFormation and STS, as far as a deployment asks them, in the protocol of the SDKs: forms that
 * are answered with XML.
 */
final class QueryFront extends Handler.Abstract {
  private static final String NO_SUCH_ACTION = "InvalidAction";

  private final Stacks stacks;
  private final UnaryOperator<String> templates;

  /**
   * @param templates yields the template at a URL
   */
  QueryFront(Stacks stacks, UnaryOperator<String> templates) {
    this.stacks = stacks;
    this.templates = templates;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Fields form = new Fields();
    UrlEncoded.decodeUtf8To(Content.Source.asString(request), form);
    String action = value(form, "Action");
    StringBuilder xml = new StringBuilder();
    try {
      ObjectNode result = Json.object();
      result.set(action + "Result", call(action, form));
      write(Json.object().set(action + "Response", result), xml);
    } catch (Refused e) {
      response.setStatus(400);
      ObjectNode error = Json.object();
      error
          .putObject("ErrorResponse")
          .putObject("Error")
          .put("Type", "Sender")
          .put("Code", "ValidationError")
          .put("Message", e.getMessage());
      write(error, xml);
    }
    response.getHeaders().put("Content-Type", "text/xml");
    Content.Sink.write(response, true, xml.toString(), callback);
    return true;
  }

  private ObjectNode call(String action, Fields form) {
    String name = value(form, "StackName");
    return switch (action) {
      case "GetCallerIdentity" ->
          Json.object()
              .put("Account", Aws.ACCOUNT)
              .put("UserId", "local")
              .put("Arn", "arn:aws:iam::" + Aws.ACCOUNT + ":root");
      case "CreateStack" -> {
        stacks.create(name, templates.apply(value(form, "TemplateURL")));
        yield Json.object().put("StackId", id(name));
      }
      case "UpdateStack" -> {
        stacks.update(name, templates.apply(value(form, "TemplateURL")));
        yield Json.object().put("StackId", id(name));
      }
      case "DescribeStacks" -> describe(existing(name));
      case "DescribeStackEvents" -> events(existing(name.replaceAll(".*/", "")));
      default -> throw new Refused("%s: %s is not known here.".formatted(NO_SUCH_ACTION, action));
    };
  }

  private Stacks.Stack existing(String name) {
    return stacks
        .named(name)
        .orElseThrow(() -> new Refused("Stack with id %s does not exist".formatted(name)));
  }

  private static ObjectNode describe(Stacks.Stack stack) {
    ObjectNode result = Json.object();
    ObjectNode one = result.putArray("Stacks").addObject();
    one.put("StackName", stack.name()).put("StackId", id(stack.name()));
    one.put("CreationTime", stack.begun().toString()).put("StackStatus", stack.status().name());
    ArrayNode outputs = one.putArray("Outputs");
    stack
        .told()
        .outputs()
        .forEach(
            (key, value) -> outputs.addObject().put("OutputKey", key).put("OutputValue", value));
    return result;
  }

  /** What failed; of what went well nobody asks. */
  private static ObjectNode events(Stacks.Stack stack) {
    ObjectNode result = Json.object();
    ArrayNode events = result.putArray("StackEvents");
    Optional.ofNullable(stack.failure())
        .ifPresent(
            failure ->
                events
                    .addObject()
                    .put("EventId", stack.name() + "-" + failure.id())
                    .put("StackId", id(stack.name()))
                    .put("StackName", stack.name())
                    .put("Timestamp", stack.begun().toString())
                    .put("LogicalResourceId", failure.id())
                    .put("ResourceType", failure.type())
                    .put("ResourceStatus", stack.status().failed())
                    .put("ResourceStatusReason", failure.getMessage()));
    return result;
  }

  private static String id(String stack) {
    return Aws.arn("cloudformation", "stack/" + stack);
  }

  private static String value(Fields form, String name) {
    String value = form.getValue(name);
    return value == null ? "" : value;
  }

  private static void write(JsonNode node, StringBuilder xml) {
    if (node.isArray()) {
      node.forEach(one -> element("member", one, xml));
    } else if (node.isObject()) {
      node.properties().forEach(field -> element(field.getKey(), field.getValue(), xml));
    } else {
      xml.append(node.asText().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
    }
  }

  private static void element(String name, JsonNode value, StringBuilder xml) {
    xml.append('<').append(name).append('>');
    write(value, xml);
    xml.append("</").append(name).append('>');
  }
}
