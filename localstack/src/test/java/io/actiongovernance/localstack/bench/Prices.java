package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** AWS's public prices, as {@code bench/prices.json} keeps them. Immutable. */
final class Prices {
  private final Map<Billed, Double> usdPerMillion = new EnumMap<>(Billed.class);
  private final String title;

  private Prices(JsonNode file) {
    for (Billed billed : Billed.values()) {
      usdPerMillion.put(billed, file.path("usd_per_million").required(billed.wire()).doubleValue());
    }
    this.title =
        "Prices of %s as of %s, out of bench/prices.json: %s."
            .formatted(
                file.path("region").textValue(),
                file.path("as_of").textValue(),
                file.path("source").textValue());
  }

  static Prices load() {
    return new Prices(resource("prices.json"));
  }

  double ofMillion(Billed billed) {
    return Objects.requireNonNull(usdPerMillion.get(billed));
  }

  String title() {
    return title;
  }

  /** One of this bench's own files. */
  static JsonNode resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(Prices.class.getResourceAsStream("/bench/" + name), name)) {
      return Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
