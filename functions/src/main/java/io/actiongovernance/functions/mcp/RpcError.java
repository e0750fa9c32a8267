package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A protocol error that answers a message. */
final class RpcError extends RuntimeException {
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int OK = 200;

  private static final int METHOD_NOT_FOUND = -32601;
  private static final int INVALID_PARAMS = -32602;
  private static final int HEADER_MISMATCH = -32020;
  private static final int MISSING_CAPABILITY = -32021;
  private static final int UNSUPPORTED_REVISION = -32022;

  private final int status;
  private final int code;
  private final transient @Nullable ObjectNode data;

  private RpcError(int status, int code, String message, @Nullable ObjectNode data) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.data = data;
  }

  /** The parameters do not fit the method. */
  static RpcError params(String message) {
    return new RpcError(OK, INVALID_PARAMS, message, null);
  }

  /** The message lacks a description of its client, which every message must contain. */
  static RpcError meta(String message) {
    return new RpcError(BAD_REQUEST, INVALID_PARAMS, message, null);
  }

  /** The message's revision has no such method. */
  static RpcError method(Era era, String method) {
    return new RpcError(
        era.modern() ? NOT_FOUND : OK,
        METHOD_NOT_FOUND,
        "There is no method " + method + ".",
        null);
  }

  /** A header contradicts the body. */
  static RpcError header(String message) {
    return new RpcError(BAD_REQUEST, HEADER_MISMATCH, message, null);
  }

  /** The call needs tasks, and the client has not declared support for them. */
  static RpcError tasks(Era era) {
    ObjectNode data = Json.object();
    data.putObject("requiredCapabilities").putObject("extensions").putObject(Era.TASKS);
    return new RpcError(
        era.modern() ? BAD_REQUEST : OK,
        MISSING_CAPABILITY,
        "The client has not declared the extension " + Era.TASKS + ".",
        data);
  }

  /** The message's revision is not supported. */
  static RpcError revision(String asked, List<String> supported) {
    ObjectNode data = Json.object().put("requested", asked);
    supported.forEach(data.putArray("supported")::add);
    return new RpcError(
        BAD_REQUEST, UNSUPPORTED_REVISION, "The revision " + asked + " is not supported.", data);
  }

  int status() {
    return status;
  }

  /** The error in its JSON-RPC form. */
  ObjectNode wire() {
    ObjectNode error = Json.object().put("code", code).put("message", getMessage());
    if (data != null) {
      error.set("data", data);
    }
    return error;
  }
}
