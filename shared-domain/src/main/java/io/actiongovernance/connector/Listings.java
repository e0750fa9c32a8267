package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The marketplace: every listing, by id. Immutable; thread-safe. */
public final class Listings {
  private final List<Listing> all;

  public Listings(List<Listing> all) {
    this.all = List.copyOf(all);
  }

  /** Loads the manifests in the resources {@code listings/}, which {@code index.json} names. */
  public static Listings load() {
    List<Listing> listings = new ArrayList<>();
    for (JsonNode name : resource("index.json")) {
      ObjectNode manifest = (ObjectNode) resource(name.textValue() + ".json");
      listings.add(Listing.read(new Fields(manifest, name.textValue(), true)));
    }
    return new Listings(listings);
  }

  public List<Listing> all() {
    return all;
  }

  public Optional<Listing> find(String id) {
    return all.stream().filter(listing -> listing.id().equals(id)).findFirst();
  }

  public Outcome<Listing> retrieve(String id) {
    return find(id)
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(new Refusal.NotFound("listing")));
  }

  /** Returns one page of the listings that match the filters given. */
  public Page<Listing> list(
      @Nullable Availability availability, @Nullable String capability, PageRequest page) {
    List<Listing> rest =
        all.stream()
            .filter(listing -> page.after() == null || listing.id().compareTo(page.after()) > 0)
            .filter(listing -> availability == null || listing.availability() == availability)
            .filter(listing -> capability == null || listing.offers(capability))
            .sorted(Comparator.comparing(Listing::id))
            .toList();
    boolean more = rest.size() > page.limit();
    List<Listing> shown = more ? rest.subList(0, page.limit()) : rest;
    return new Page<>(shown, more ? shown.getLast().id() : null);
  }

  private static JsonNode resource(String name) {
    try (InputStream in = Listings.class.getResourceAsStream("/listings/" + name)) {
      if (in == null) {
        throw new IllegalStateException("There is no listing " + name);
      }
      return Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
