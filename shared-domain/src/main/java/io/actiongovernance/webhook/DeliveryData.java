package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * Stores the objects of deliveries. A small object is in its delivery, so that it needs no separate
 * write. A large one is in parts beside it, so that attempts need not write it again. Thread-safe.
 */
final class DeliveryData {
  /** Maximum size in bytes of an object that is stored in the delivery. */
  private static final int SMALL = 4_096;

  /** Size of a part in bytes. An item holds 400 KB, and base64 adds a third. */
  private static final int PART = 270_000;

  private final Store store;

  DeliveryData(Store store) {
    this.store = store;
  }

  /** Stores an object. Storing it again does no harm. */
  Delivery.Data keep(Partition partition, DeliveryId id, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= SMALL) {
      return new Delivery.Data(text, null);
    }
    int count = Math.ceilDiv(bytes.length, PART);
    // The digest in the key separates these parts from those of an earlier attempt, whose object
    // may have differed.
    Delivery.StoredParts parts =
        new Delivery.StoredParts(CanonicalJson.sha256(text).substring(0, 16), count, bytes.length);
    Instant until = id.madeAt().plus(Delivery.RETENTION);
    for (int part = 0; part < count; part++) {
      byte[] piece =
          Arrays.copyOfRange(bytes, part * PART, Math.min(bytes.length, (part + 1) * PART));
      store.write(
          Write.put(
              Item.at(key(partition, id, parts, part))
                  .with("bytes", Base64.getEncoder().encodeToString(piece))
                  .expires(until)
                  .build(),
              Condition.always()));
    }
    return new Delivery.Data(null, parts);
  }

  String of(Delivery delivery) {
    Delivery.StoredParts parts = delivery.data().parts();
    if (parts == null) {
      return String.valueOf(delivery.data().text());
    }
    List<Key> keys = new ArrayList<>();
    for (int part = 0; part < parts.count(); part++) {
      keys.add(key(delivery.partition(), delivery.id(), parts, part));
    }
    byte[] bytes = new byte[parts.size()];
    int at = 0;
    for (Item item : store.getAll(keys)) {
      byte[] piece = Base64.getDecoder().decode(item.text("bytes"));
      System.arraycopy(piece, 0, bytes, at, piece.length);
      at += piece.length;
    }
    if (at != bytes.length) {
      throw new IllegalStateException("Parts of the object of " + delivery.id() + " are missing");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static long size(Delivery delivery) {
    Delivery.StoredParts parts = delivery.data().parts();
    return parts == null ? String.valueOf(delivery.data().text()).length() : parts.size();
  }

  private static Key key(Partition partition, DeliveryId id, Delivery.StoredParts parts, int part) {
    return new Key(
        Table.STATE,
        partition.key("webhook-data#" + id),
        String.format(Locale.ROOT, "%s#%03d", parts.digest(), part));
  }
}
