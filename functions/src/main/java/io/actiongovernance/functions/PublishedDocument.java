package io.actiongovernance.functions;

import io.actiongovernance.functions.docs.OpenApi;
import io.actiongovernance.functions.docs.OpenApiHandler;
import io.actiongovernance.functions.rehearsal.Recording;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the published document, in the build: a function that answers with it only reads it. */
public final class PublishedDocument {
  private PublishedDocument() {}

  /**
   * @param arguments the folder of the classes
   */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0] + OpenApiHandler.DOCUMENT);
    Files.writeString(
        file,
        Json.write(
            OpenApi.document(
                Routes.all(), OpenApiHandler.ANYWHERE, Recording.of(Composition.rehearsed()))));
  }
}
