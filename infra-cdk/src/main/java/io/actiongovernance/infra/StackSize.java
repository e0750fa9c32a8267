package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import software.amazon.awscdk.cxapi.CloudAssembly;

/**
 * How large a stack is. CloudFormation lets a stack have 500 resources, and its template 1 MB.
 *
 * @param stack its name
 * @param bytes of its template
 */
record StackSize(String stack, int resources, long bytes) {
  /** Of the 500 resources that CloudFormation lets a stack have: the rest is room to grow. */
  private static final int MOST = 300;

  /** The sizes of what was synthesised, in the order of deployment. */
  static List<StackSize> of(CloudAssembly assembly) {
    return assembly.getStacks().stream()
        .map(made -> of(made.getStackName(), Path.of(made.getTemplateFullPath())))
        .toList();
  }

  private static StackSize of(String stack, Path template) {
    try {
      return new StackSize(stack, resources(template).size(), Files.size(template));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a template says of each resource. */
  static JsonNode resources(Path template) {
    try {
      return Json.read(Files.readString(template)).path("Resources");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One line for whoever deploys. */
  String line() {
    return String.format(
        Locale.ROOT,
        "Stack %s: %d resources, %,d KB.",
        stack,
        resources,
        Math.ceilDiv(bytes, 1000));
  }

  /**
   * Refuses a stack without room to grow.
   *
   * @throws IllegalStateException if it has more resources than it may
   */
  void require() {
    if (resources > MOST) {
      throw new IllegalStateException(
          "The stack %s has %s resources, and may have %s: put some of what it holds into another."
              .formatted(stack, resources, MOST));
    }
  }
}
