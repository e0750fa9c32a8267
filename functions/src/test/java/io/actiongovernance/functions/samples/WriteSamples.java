package io.actiongovernance.functions.samples;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.docs.OpenApi;
import io.actiongovernance.functions.docs.OpenApiHandler;
import io.actiongovernance.functions.priming.Priming.Primed;
import io.actiongovernance.functions.priming.Recording;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes what the build makes of sample requests: the published document with its examples, which a
 * function only reads, and the recordings by which functions are primed.
 */
final class WriteSamples {
  /**
   * As many recordings are replayed, of the last invocations: of approvals by a key and a person.
   */
  private static final int KEPT = 2;

  /** So that what data keys need is primed as well. */
  private static final Map<String, String> SEALING =
      Map.of(
          Settings.DATA_KEY,
          "arn:aws:kms:us-east-1:000000000000:key/samples",
          Settings.DATA_KEYS,
          "seal");

  private final Path classes;
  private final Primed service;

  private WriteSamples(Path classes, Primed service) {
    this.classes = classes;
    this.service = service;
  }

  /**
   * @param arguments the folder of the classes
   */
  public static void main(String[] arguments) throws IOException {
    RepeatedChance.install();
    WriteSamples writing = new WriteSamples(Path.of(arguments[0]), Composition.primed());
    writing.document();
    writing.recordings();
  }

  private void document() throws IOException {
    Files.writeString(
        Path.of(classes + OpenApiHandler.DOCUMENT),
        Json.write(
            OpenApi.document(service.routes(), OpenApiHandler.ANYWHERE, Examples.of(service))));
  }

  private void recordings() throws IOException {
    Files.createDirectories(Path.of(classes + Recording.FOLDER));
    try (SampleService samples = new SampleService(service, SEALING)) {
      SampledTenant tenant = new SampledTenant(samples);
      for (Route route : service.routes()) {
        if (!route.streams()) {
          record(route.operation(), samples, () -> tenant.live(route));
        }
      }
      record("unknown-path", samples, tenant::goAstray);
      for (Trigger trigger : Trigger.values()) {
        SampledTenant own = new SampledTenant(samples);
        record(trigger.binding().function(), samples, () -> own.live(trigger));
      }
    }
  }

  private void record(String function, SampleService samples, Runnable work) throws IOException {
    ArrayNode recordings = samples.record(function, work);
    // Nobody waits for what was given up, and it would read a bucket.
    if (recordings.isEmpty() && !function.equals(Trigger.RELAY_AGAIN.binding().function())) {
      throw new IllegalStateException("No sample request has invoked " + function + ".");
    }
    while (recordings.size() > KEPT) {
      recordings.remove(0);
    }
    Files.writeString(
        Path.of(classes + Recording.FOLDER + function + ".json"), Json.write(recordings));
  }
}
